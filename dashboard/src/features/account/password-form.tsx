import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, request } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Alert } from '../../ui/states.tsx';
import { showToast } from '../../ui/toasts.tsx';

const MIN_LENGTH = 8;

/** Changes the password; all other sessions end with it. */
export function PasswordForm({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [isTried, setTried] = useState(false);
  const change = useMutation({
    mutationFn: () => request('POST', '/auth/password', { body: { current, new: next } }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      setTried(false);
      showToast('The password is changed. All other sessions have ended.');
    },
  });
  const fields = change.error instanceof ApiError ? change.error.fields : new Map<string, string>();
  const isTooShort = Array.from(next).length < MIN_LENGTH;
  const currentError = current === '' ? 'Type your current password.' : undefined;
  const nextError = isTooShort ? `A password has at least ${MIN_LENGTH} characters.` : undefined;
  return (
    <form
      className="max-w-md space-y-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!currentError && !nextError) change.mutate();
      }}
    >
      <p className="text-sm text-text-muted">
        All your other sessions end when you change it, on every device. This one stays.
      </p>
      {/* Password managers learn from it whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden aria-label="Email" />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={current}
        maxLength={1024}
        error={(isTried && currentError) || sentence('The current password', fields.get('current'))}
        onChange={(event) => {
          setCurrent(event.target.value);
          change.reset();
        }}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        value={next}
        maxLength={1024}
        hint={`At least ${MIN_LENGTH} characters.`}
        error={(isTried && nextError) || sentence('The new password', fields.get('new'))}
        onChange={(event) => {
          setNext(event.target.value);
          change.reset();
        }}
      />
      {change.error && fields.size === 0 && <Alert>{change.error.message}</Alert>}
      <Button type="submit" look="primary" busy={change.isPending}>
        Change password
      </Button>
    </form>
  );
}

/** What the API says about a field, as a sentence. */
function sentence(subject: string, message: string | undefined): string | undefined {
  return message && `${subject} ${message}.`;
}
