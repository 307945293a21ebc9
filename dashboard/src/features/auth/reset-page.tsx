import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MIN_PASSWORD_LENGTH } from '../../../../server/src/tenancy/accounts/limits.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { optionsQuery, queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Alert, Skeleton } from '../../ui/feedback/states.tsx';
import { CheckField, TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { AuthLayout } from './auth-layout.tsx';
import { recoveryQuery, requestReset, setPassword } from './queries.ts';
import { readToken } from './read-token.ts';
import { texts } from './texts.ts';

const words = texts.resetPage;

/** The form for a new password, if the address has a recovery link; otherwise the ways to get one. */
export function ResetPage() {
  const [token, setToken] = useState(() => readToken('rec'));
  return (
    <AuthLayout title={token === null ? words.request : words.set}>
      {token === null ? <AskForLink /> : <SetPassword token={token} onAskAgain={() => setToken(null)} />}
      <p className="mt-6">
        <Link to="/login" className="inline-block leading-6 text-accent underline">
          {words.logIn}
        </Link>
      </p>
    </AuthLayout>
  );
}

function AskForLink() {
  const { data: options, isPending: isWaiting } = useQuery(optionsQuery);
  const [isSent, setSent] = useState(false);
  const { errors, submit, isPending } = useForm({
    mutationFn: requestReset,
    onSuccess: () => setSent(true),
    check: (email) => toFieldErrors({ email: email.trim() === '' ? words.noEmail : undefined }),
    toErrors: (error) => toFormErrors(error, ['email']),
  });
  if (isWaiting) return <Skeleton rows={3} />;
  if (options && !options.passwordReset) {
    return (
      <>
        <p>{words.withoutMail}</p>
        <p className="mt-2">
          <code className="font-mono text-sm wrap-anywhere">{words.command}</code>
        </p>
      </>
    );
  }
  if (isSent) return <p role="status">{words.sent}</p>;
  return (
    <Form errors={errors} onSubmit={(form) => submit(textOf(form, 'email'))}>
      <p className="text-text-muted">{words.requestHint}</p>
      <TextField
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        required
        error={errors?.fields.get('email')}
      />
      <Button type="submit" variant="primary" className="w-full" busy={isPending}>
        {words.send}
      </Button>
    </Form>
  );
}

function SetPassword({ token, onAskAgain }: { token: string; onAskAgain: () => void }) {
  const { data: offer, error } = useQuery(recoveryQuery(token));
  const [isDone, setDone] = useState(false);
  const { errors, submit, isPending } = useForm({
    mutationFn: setPassword,
    onSuccess: () => {
      // The session of this browser has ended, too.
      queryClient.removeQueries({ queryKey: ['session'] });
      setDone(true);
    },
    check: ({ password }) => {
      const length = Array.from(password).length;
      return toFieldErrors({
        password: length < MIN_PASSWORD_LENGTH ? words.tooShort(MIN_PASSWORD_LENGTH, length) : undefined,
      });
    },
    toErrors: (failure) => toFormErrors(failure, ['password']),
  });
  if (isDone) return <p role="status">{words.done}</p>;
  if (error) {
    return (
      <>
        <Alert>{error.message}</Alert>
        <Button onClick={onAskAgain}>{words.askAgain}</Button>
      </>
    );
  }
  if (!offer) return <Skeleton rows={3} />;
  return (
    <Form
      errors={errors}
      onSubmit={(form) =>
        submit({
          token,
          password: textOf(form, 'password'),
          revokeTokens: form.get('revokeTokens') !== null,
        })
      }
    >
      <p className="text-text-muted">{words.setHint}</p>
      {/* Password managers take the user's name from this field. */}
      <TextField label={words.email} type="email" autoComplete="username" value={offer.email} readOnly />
      <TextField
        label={words.password}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        required
        hint={errors?.fields.has('password') ? undefined : words.passwordHint(MIN_PASSWORD_LENGTH)}
        error={errors?.fields.get('password')}
      />
      <CheckField label={words.revokeTokens} hint={words.revokeTokensHint} name="revokeTokens" />
      <Button type="submit" variant="primary" className="w-full" busy={isPending}>
        {words.save}
      </Button>
    </Form>
  );
}
