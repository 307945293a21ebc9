import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { optionsQuery } from '../../lib/queries.ts';
import { AuthLayout } from './auth-layout.tsx';
import { beginSession } from './queries.ts';
import { SignUpForm } from './sign-up-form.tsx';
import { texts } from './texts.ts';

const words = texts.signUpPage;

export function SignUpPage() {
  const { next } = useSearch({ from: '/signup' });
  const navigate = useNavigate();
  // If the options cannot be read, the form is shown: the service decides.
  const { data: options } = useQuery(optionsQuery);
  const signUp = options?.signUp ?? 'open';
  const isFirst = options?.hasUsers === false;
  return (
    <AuthLayout title={isFirst ? words.firstAccount : words.signUp}>
      {signUp === 'open' ? (
        <SignUpForm
          onDone={async (session) => {
            beginSession(session);
            // The organization is new, too, and empty without a project.
            await navigate({ to: '/projects/new', replace: true });
          }}
        />
      ) : (
        <p>{words.refusals[signUp]}</p>
      )}
      {!isFirst && (
        <p className="mt-6 text-text-muted">
          {words.haveAccount}{' '}
          <Link
            to="/login"
            search={next ? { next } : {}}
            className="inline-block leading-6 text-accent underline"
          >
            {words.logIn}
          </Link>
        </p>
      )}
    </AuthLayout>
  );
}
