import type { NewInvitationRecord, Role } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { SecretField, SecretFrame } from '../../ui/forms/secret-field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { invite, readInvitationsAgain } from './queries.ts';
import { ROLE_OPTIONS } from './roles.ts';
import { texts } from './texts.ts';

const words = texts.inviteMember;

const EXPIRY_OPTIONS = (['1', '7', '30'] as const).map((value) => ({
  value,
  label: words.days(Number(value)),
}));

/** Creates an invitation for one person, and shows its link. */
export function InviteMember({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const { errors, submit, isPending, data } = useForm({
    mutationFn: invite,
    onSuccess: readInvitationsAgain,
    check: ({ email }) =>
      toFieldErrors({ email: email !== null && !email.includes('@') ? words.noEmail : undefined }),
    toErrors: (error) => toFormErrors(error, ['email', 'role', 'expiresInDays']),
  });
  if (data) return <NewLink invitation={data} onClose={onClose} />;
  return (
    <Dialog key="asked" title={words.title} onClose={onClose}>
      <Form
        errors={errors}
        onSubmit={(form) =>
          submit({
            organizationId,
            role: textOf(form, 'role') as Role,
            email: textOf(form, 'email').trim() || null,
            expiresInDays: Number(textOf(form, 'expiresInDays')),
          })
        }
      >
        <TextField
          label={words.email}
          name="email"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          hint={words.emailHint}
          error={errors?.fields.get('email')}
        />
        <div className="flex flex-wrap gap-4">
          <SelectField
            label={words.role}
            name="role"
            className="w-28"
            defaultValue="MEMBER"
            options={ROLE_OPTIONS}
          />
          <SelectField
            label={words.expiry}
            name="expiresInDays"
            className="w-28"
            defaultValue="7"
            options={EXPIRY_OPTIONS}
          />
        </div>
        <FormActions submit={words.create} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function NewLink({ invitation, onClose }: { invitation: NewInvitationRecord; onClose: () => void }) {
  // Without PUBLIC_URL the service returns a path only: it is resolved against the origin of this page.
  const link = new URL(invitation.url, location.origin).href;
  return (
    <Dialog key="shown" title={words.created} onClose={onClose}>
      <SecretFrame title={words.copyNow} text={words.onlyOnce}>
        <SecretField label={words.link} value={link} copy={words.copyLink} />
      </SecretFrame>
      <p className="mt-3 text-sm text-text-muted">
        {invitation.email === null ? words.forAnyone : words.forOne(invitation.email)}
        {words.mail[invitation.mail]}
      </p>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
