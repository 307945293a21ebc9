import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Alert } from '../../ui/feedback/states.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { confirmEmail } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.confirmEmail;

/** Confirms the new address of an account, which may be logged in here or not. */
export function ConfirmEmail({ token }: { token: string }) {
  const confirm = useMutation({ mutationFn: () => confirmEmail(token) });
  if (confirm.data)
    return (
      <AuthLayout title={words.title}>
        <p role="status" className="mb-4 wrap-anywhere">
          {words.done(confirm.data.email)}
        </p>
        <Link to="/" className={buttonClass('primary')}>
          {words.open}
        </Link>
      </AuthLayout>
    );
  return (
    <AuthLayout title={words.title}>
      <p className="mb-4">{words.hint}</p>
      {confirm.error && <Alert>{confirm.error.message}</Alert>}
      <Button variant="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {words.confirm}
      </Button>
    </AuthLayout>
  );
}
