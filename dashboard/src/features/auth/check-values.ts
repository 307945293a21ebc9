import { MIN_PASSWORD_LENGTH } from '../../../../server/src/tenancy/accounts/limits.ts';
import type { LogIn, SignUp } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors } from '../../lib/form-errors.ts';
import { texts } from './texts.ts';

/*
 * Checks that need no request, for all fields together. The service decides: it may refuse values that pass here.
 */

export function checkSignUp({ name, email, password }: SignUp): FormErrors | null {
  const length = Array.from(password).length;
  return toFieldErrors({
    name: name.trim() === '' ? 'Enter your name.' : undefined,
    email: checkEmail(email),
    password:
      length === 0
        ? 'Enter a password.'
        : length < MIN_PASSWORD_LENGTH
          ? `Use at least ${MIN_PASSWORD_LENGTH} characters (${length} so far).`
          : undefined,
  });
}

/** Checks the code only if one is asked for. */
export function checkLogIn({ email, password, code }: LogIn): FormErrors | null {
  return toFieldErrors({
    email: checkEmail(email),
    password: password === '' ? 'Enter your password.' : undefined,
    code: code?.trim() === '' ? texts.logInPage.noCode : undefined,
  });
}

function checkEmail(email: string): string | undefined {
  if (email.trim() === '') return 'Enter your email address.';
  return /^[^\s@]+@[^\s@]+$/.test(email.trim())
    ? undefined
    : 'Enter an email address, such as ada@example.com.';
}
