import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { type FormErrors, toFormErrors } from '../../lib/form-errors.ts';
import { formatDuration } from '../../lib/format.ts';
import { optionsQuery } from '../../lib/queries.ts';
import { readNextPage } from '../../lib/search/next-page.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { AuthLayout } from './auth-layout.tsx';
import { checkLogIn } from './check-values.ts';
import { beginSession, logIn } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.logInPage;

export function LogInPage() {
  const { next, ended } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const { data: options } = useQuery(optionsQuery);
  const [needsCode, setNeedsCode] = useState(false);
  const { errors, submit, isPending } = useForm({
    mutationFn: logIn,
    onSuccess: async (session) => {
      beginSession(session);
      await navigate({ href: readNextPage(next) ?? '/', replace: true });
    },
    check: checkLogIn,
    toErrors: (error) => {
      // The password may have changed meanwhile: then the form asks for both again.
      if (error instanceof ApiError && error.status === 401) setNeedsCode(CODE_ERRORS.has(error.code));
      return toLogInErrors(error);
    },
  });
  return (
    <AuthLayout title={words.logIn}>
      {ended ? (
        <p role="status" className="mb-4 rounded-md border border-line-strong bg-warn-soft px-3 py-2">
          {words.sessionEnded}
        </p>
      ) : (
        next && <p className="mb-4 text-text-muted">{words.toContinue}</p>
      )}
      <Form
        errors={errors}
        onSubmit={(form) =>
          submit({
            email: textOf(form, 'email'),
            password: textOf(form, 'password'),
            ...(needsCode && { code: textOf(form, 'code') }),
          })
        }
      >
        {/* Hidden, not removed: the service keeps nothing between the two requests. */}
        <div hidden={needsCode} className="space-y-4">
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
            autoComplete="current-password"
            required
            error={errors?.fields.get('password')}
            hint={
              <Link to="/reset" className="inline-block leading-6 text-accent underline">
                {words.forgotPassword}
              </Link>
            }
          />
        </div>
        {needsCode && (
          <TextField
            label={words.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck="false"
            required
            // The field replaces the one that had the focus.
            autoFocus
            hint={errors?.fields.has('code') ? undefined : words.codeHint}
            error={errors?.fields.get('code')}
          />
        )}
        <Button type="submit" variant="primary" className="w-full" busy={isPending}>
          {words.logIn}
        </Button>
        {needsCode && (
          <Button className="w-full" onClick={() => setNeedsCode(false)}>
            {words.otherAccount}
          </Button>
        )}
      </Form>
      {options && options.signUp !== 'open' ? (
        <p className="mt-6 text-text-muted">{texts.signUpPage.refusals[options.signUp]}</p>
      ) : (
        <p className="mt-6 text-text-muted">
          {words.noAccount}{' '}
          <Link
            to="/signup"
            search={next ? { next } : {}}
            className="inline-block leading-6 text-accent underline"
          >
            {words.signUp}
          </Link>
        </p>
      )}
    </AuthLayout>
  );
}

/** Errors that only follow a correct password. */
const CODE_ERRORS = new Set(['totp_required', 'invalid_totp_code']);

function toLogInErrors(error: Error): FormErrors {
  if (error instanceof ApiError && error.code === 'totp_required')
    return { fields: new Map(), message: null };
  if (error instanceof ApiError && error.code === 'invalid_totp_code') {
    return { fields: new Map([['code', words.wrongCode]]), message: null };
  }
  if (error instanceof ApiError && error.code === 'too_many_logins' && error.retryAfterSeconds) {
    const waitMs = error.retryAfterSeconds * 1_000;
    const at = new Date(Date.now() + waitMs).toLocaleTimeString('en-GB');
    return {
      fields: new Map(),
      message: `Too many failed attempts. Try again in ${formatDuration(waitMs)}, at ${at}.`,
    };
  }
  return toFormErrors(error, ['email', 'password']);
}
