import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { type Refusal, readRefusal, refuseFields } from '../../lib/refusal.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { checkSignUp } from './check-entries.ts';
import { beginSession, signUp } from './queries.ts';

export function SignUpPage() {
  const { next } = useSearch({ from: '/signup' });
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const attempt = useMutation({
    mutationFn: signUp,
    onSuccess: async (session) => {
      beginSession(session);
      // The organization is new, too: what there is to see begins with a project.
      await navigate({ to: '/projects/new', replace: true });
    },
    onError: (error) => setRefusal(readSignUpRefusal(error)),
  });
  const submit = (values: FormData) => {
    const entries = {
      name: textOf(values, 'name'),
      email: textOf(values, 'email'),
      password: textOf(values, 'password'),
    };
    const wrong = checkSignUp(entries);
    setRefusal(wrong);
    if (!wrong) attempt.mutate(entries);
  };
  return (
    <AuthLayout title="Sign up">
      <Form refusal={refusal} onSubmit={submit}>
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          error={refusal?.fields.get('name')}
        />
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
          autoComplete="new-password"
          minLength={8}
          required
          hint={refusal?.fields.has('password') ? undefined : 'At least 8 characters.'}
          error={refusal?.fields.get('password')}
        />
        <Button type="submit" variant="primary" className="w-full" busy={attempt.isPending}>
          Sign up
        </Button>
      </Form>
      <p className="mt-6 text-text-muted">
        Already have an account?{' '}
        <Link to="/login" search={next ? { next } : {}} className="text-accent underline">
          Log in
        </Link>
      </p>
    </AuthLayout>
  );
}

function readSignUpRefusal(error: Error): Refusal {
  const taken =
    error instanceof ApiError && error.code === 'email_taken'
      ? refuseFields({ email: 'This email is already registered.' })
      : null;
  return taken ?? readRefusal(error, ['name', 'email', 'password']);
}
