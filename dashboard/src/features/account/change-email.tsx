import { useQuery } from '@tanstack/react-query';
import { request } from '../../lib/api.ts';
import { toFieldErrors } from '../../lib/form-errors.ts';
import { optionsQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/feedback/states.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { toConfirmationErrors } from './confirmation-errors.ts';
import { PasswordField } from './confirmation-fields.tsx';
import { texts } from './texts.ts';

const words = texts.changeEmail;

interface ChangeEmailProps {
  /** Present address. */
  email: string;
  onClose: () => void;
}

/** Asks for another address and the password, and says what happens next; without mail, who can change it. */
export function ChangeEmail({ email, onClose }: ChangeEmailProps) {
  const options = useQuery(optionsQuery);
  return (
    <Dialog title={words.title} onClose={onClose}>
      {!options.data ? (
        <QueryState query={options} rows={3} />
      ) : options.data.passwordReset ? (
        <EmailForm onClose={onClose} />
      ) : (
        <>
          <p className="mb-2">{words.withoutMail}</p>
          <code className="block rounded-md bg-muted px-3 py-2 font-mono text-sm wrap-anywhere">
            {words.command(email)}
          </code>
          <Close onClose={onClose} />
        </>
      )}
    </Dialog>
  );
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const { errors, submit, isPending, data } = useForm({
    mutationFn: async (body: { email: string; password: string }) => {
      await request('POST', '/auth/email', { body });
      return body.email;
    },
    check: ({ email, password }) =>
      toFieldErrors({
        email: email.includes('@') ? undefined : words.noEmail,
        password: password === '' ? texts.confirmation.noPassword : undefined,
      }),
    toErrors: (error) => toConfirmationErrors(error, ['email', 'password']),
  });
  if (data !== undefined)
    return (
      <>
        <p role="status">{words.sent(data)}</p>
        <Close onClose={onClose} />
      </>
    );
  return (
    <Form
      errors={errors}
      onSubmit={(form) => submit({ email: textOf(form, 'email').trim(), password: textOf(form, 'password') })}
    >
      <TextField
        label={words.email}
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        required
        error={errors?.fields.get('email')}
      />
      <PasswordField errors={errors} />
      <FormActions submit={words.send} busy={isPending} onCancel={onClose} />
    </Form>
  );
}

function Close({ onClose }: { onClose: () => void }) {
  return (
    <DialogActions>
      <Button variant="primary" onClick={onClose}>
        {words.done}
      </Button>
    </DialogActions>
  );
}
