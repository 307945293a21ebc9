import { useState } from 'react';
import { request } from '../../lib/api.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { CheckField, TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { texts } from './texts.ts';
import { tokensQuery } from './token-queries.ts';

const words = texts.passwordForm;

const MIN_LENGTH = 8;

interface Passwords {
  current: string;
  new: string;
  revokeTokens: boolean;
}

/** Changes the password; all other sessions end with it. */
export function PasswordForm({ email }: { email: string }) {
  const [timesChanged, setTimesChanged] = useState(0);
  const { errors, submit, isPending } = useForm({
    mutationFn: (body: Passwords) => request('POST', '/auth/password', { body }),
    onSuccess: (_, { revokeTokens }) => {
      void queryClient.invalidateQueries({ queryKey: ['sessions'] });
      void queryClient.invalidateQueries(tokensQuery);
      setTimesChanged((times) => times + 1);
      showToast(words.changed(revokeTokens));
    },
    check: checkPasswords,
    toErrors: toPasswordErrors,
  });
  return (
    <Form
      errors={errors}
      onSubmit={(form) =>
        submit({
          current: textOf(form, 'current'),
          new: textOf(form, 'new'),
          revokeTokens: form.get('revokeTokens') !== null,
        })
      }
      className="max-w-md space-y-4"
    >
      <p className="text-sm text-text-muted">{words.hint}</p>
      {/* Password managers take the user's name from this field. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden aria-label={words.email} />
      {/* The change empties the fields. */}
      <div key={timesChanged} className="space-y-4">
        <TextField
          label={words.currentPassword}
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={errors?.fields.get('current')}
        />
        <TextField
          label={words.newPassword}
          name="new"
          type="password"
          autoComplete="new-password"
          required
          hint={errors?.fields.has('new') ? undefined : words.passwordHint(MIN_LENGTH)}
          error={errors?.fields.get('new')}
        />
        <CheckField label={words.revokeTokens} hint={words.revokeTokensHint} name="revokeTokens" />
      </div>
      <Button type="submit" variant="primary" busy={isPending}>
        {words.changePassword}
      </Button>
    </Form>
  );
}

function checkPasswords(passwords: Passwords): FormErrors | null {
  const length = Array.from(passwords.new).length;
  return toFieldErrors({
    current: passwords.current === '' ? 'Enter your current password.' : undefined,
    new: length < MIN_LENGTH ? `Use at least ${MIN_LENGTH} characters (${length} so far).` : undefined,
  });
}

/** Shows the sentence of the error beside the current password: the field's own message is one word only. */
function toPasswordErrors(error: Error): FormErrors {
  const errors = toFormErrors(error, ['current', 'new']);
  if (!errors.fields.has('current')) return errors;
  return { ...errors, fields: new Map([...errors.fields, ['current', error.message]]) };
}
