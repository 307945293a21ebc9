import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../lib/api.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { AuthLayout } from './auth-layout.tsx';
import { checkSignUp } from './check-values.ts';
import { beginSession, signUp } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.signUpPage;

export function SignUpPage() {
  const { next } = useSearch({ from: '/signup' });
  const navigate = useNavigate();
  const { errors, submit, isPending } = useForm({
    mutationFn: signUp,
    onSuccess: async (session) => {
      beginSession(session);
      // The organization is new, too: what there is to see begins with a project.
      await navigate({ to: '/projects/new', replace: true });
    },
    check: checkSignUp,
    toErrors: toSignUpErrors,
  });
  return (
    <AuthLayout title={words.signUp}>
      <Form
        errors={errors}
        onSubmit={(form) =>
          submit({
            name: textOf(form, 'name'),
            email: textOf(form, 'email'),
            password: textOf(form, 'password'),
          })
        }
      >
        <TextField
          label={words.name}
          name="name"
          autoComplete="name"
          required
          error={errors?.fields.get('name')}
        />
        <TextField
          label={words.email}
          name="email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          required
          error={errors?.fields.get('email')}
        />
        <TextField
          label={words.password}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          required
          hint={errors?.fields.has('password') ? undefined : words.passwordHint}
          error={errors?.fields.get('password')}
        />
        <Button type="submit" variant="primary" className="w-full" busy={isPending}>
          {words.signUp}
        </Button>
      </Form>
      <p className="mt-6 text-text-muted">
        {words.haveAccount}{' '}
        <Link to="/login" search={next ? { next } : {}} className="text-accent underline">
          {words.logIn}
        </Link>
      </p>
    </AuthLayout>
  );
}

function toSignUpErrors(error: Error): FormErrors {
  const taken =
    error instanceof ApiError && error.code === 'email_taken'
      ? toFieldErrors({ email: 'This email is already registered.' })
      : null;
  return taken ?? toFormErrors(error, ['name', 'email', 'password']);
}
