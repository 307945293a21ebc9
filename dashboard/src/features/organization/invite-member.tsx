import { useState } from 'react';
import type { NewInvitationRecord, Role } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { SecretField } from '../../ui/forms/secret-field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { InvitationList } from './invitation-list.tsx';
import { invite, readInvitationsAgain } from './queries.ts';
import { ROLE_OPTIONS } from './roles.ts';
import { texts } from './texts.ts';

const words = texts.inviteMember;

const EXPIRY_OPTIONS = (['1', '7', '30'] as const).map((value) => ({
  value,
  label: words.days(Number(value)),
}));

/** Creates invitation links, and lists those that are still open. */
export function InviteMember({ organizationId }: { organizationId: string }) {
  const [created, setCreated] = useState<NewInvitationRecord | null>(null);
  // The key resets the form after each invitation.
  const [round, setRound] = useState(0);
  const { errors, submit, isPending } = useForm({
    mutationFn: invite,
    onSuccess: async (invitation) => {
      setCreated(invitation);
      setRound((count) => count + 1);
      await readInvitationsAgain();
    },
    check: ({ email }) =>
      toFieldErrors({ email: email !== null && !email.includes('@') ? words.noEmail : undefined }),
    toErrors: (error) => toFormErrors(error, ['email', 'role', 'expiresInDays']),
  });
  return (
    <>
      <h3 className="mb-1 font-semibold">{words.title}</h3>
      <p className="mb-3 max-w-prose text-sm text-text-muted">{words.hint}</p>
      <Form
        key={round}
        errors={errors}
        onSubmit={(form) =>
          submit({
            organizationId,
            role: textOf(form, 'role') as Role,
            email: textOf(form, 'email').trim() || null,
            expiresInDays: Number(textOf(form, 'expiresInDays')),
          })
        }
        className="mb-4 max-w-3xl"
      >
        <InvitationFields emailError={errors?.fields.get('email')} isPending={isPending} />
      </Form>
      {created && <NewLink invitation={created} onClose={() => setCreated(null)} />}
      <InvitationList
        organizationId={organizationId}
        onRevoked={(id) => created?.id === id && setCreated(null)}
      />
    </>
  );
}

interface InvitationFieldsProps {
  emailError: string | undefined;
  isPending: boolean;
}

function InvitationFields({ emailError, isPending }: InvitationFieldsProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
      <TextField
        label={words.email}
        name="email"
        type="email"
        className="flex-1 basis-64"
        autoComplete="off"
        autoCapitalize="none"
        hint={words.emailHint}
        error={emailError}
      />
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
      {/* Aligned with the fields, below their labels. */}
      <Button type="submit" variant="primary" className="sm:mt-[calc(1.45*13px+4px)]" busy={isPending}>
        {words.create}
      </Button>
    </div>
  );
}

function NewLink({ invitation, onClose }: { invitation: NewInvitationRecord; onClose: () => void }) {
  // Without PUBLIC_URL the service returns a path only: it is resolved against the origin of this page.
  const link = new URL(invitation.url, location.origin).href;
  return (
    <section
      aria-label={words.link}
      className="mb-4 max-w-3xl rounded-md border border-line-strong bg-muted p-3"
    >
      <p className="mb-2">{words.copyNow}</p>
      <SecretField label={words.link} value={link} copy={words.copyLink}>
        <Button onClick={onClose}>{words.done}</Button>
      </SecretField>
      <p className="mt-2 text-sm text-text-muted">
        {invitation.email === null ? words.forAnyone : words.forOne(invitation.email)}
        {words.mail[invitation.mail]}
      </p>
    </section>
  );
}
