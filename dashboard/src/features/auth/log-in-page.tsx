import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { formatDuration } from '../../lib/format.ts';
import { readNextPage } from '../../lib/next-page.ts';
import { type Refusal, readRefusal } from '../../lib/refusal.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { checkLogIn } from './check-entries.ts';
import { beginSession, logIn } from './queries.ts';

export function LogInPage() {
  const { next } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const attempt = useMutation({
    mutationFn: logIn,
    onSuccess: async (session) => {
      beginSession(session);
      await navigate({ href: readNextPage(next) ?? '/', replace: true });
    },
    onError: (error) => setRefusal(readLogInRefusal(error)),
  });
  const submit = (values: FormData) => {
    const entries = { email: textOf(values, 'email'), password: textOf(values, 'password') };
    const wrong = checkLogIn(entries);
    setRefusal(wrong);
    if (!wrong) attempt.mutate(entries);
  };
  return (
    <AuthLayout title="Log in">
      {next && <p className="mb-4 text-text-muted">Log in to continue.</p>}
      <Form refusal={refusal} onSubmit={submit}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          required
          error={refusal?.fields.get('email')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={refusal?.fields.get('password')}
        />
        <Button type="submit" variant="primary" className="w-full" busy={attempt.isPending}>
          Log in
        </Button>
      </Form>
      <p className="mt-6 text-text-muted">
        No account yet?{' '}
        <Link to="/signup" search={next ? { next } : {}} className="text-accent underline">
          Sign up
        </Link>
      </p>
    </AuthLayout>
  );
}

function readLogInRefusal(error: Error): Refusal {
  if (error instanceof ApiError && error.code === 'too_many_logins' && error.retryAfterSeconds) {
    const waitMs = error.retryAfterSeconds * 1_000;
    const at = new Date(Date.now() + waitMs).toLocaleTimeString('en-GB');
    return {
      fields: new Map(),
      message: `Too many failed attempts. Try again in ${formatDuration(waitMs)}, at ${at}.`,
    };
  }
  return readRefusal(error, ['email', 'password']);
}
