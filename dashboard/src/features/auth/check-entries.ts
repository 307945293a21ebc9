import type { LogIn, SignUp } from '../../lib/api-types.ts';
import { type Refusal, refuseFields } from '../../lib/refusal.ts';

/*
 * What can be said at once and about all fields together. The service has the last word: what passes here may be
 * refused there.
 */
const MIN_PASSWORD_LENGTH = 8;

export function checkSignUp({ name, email, password }: SignUp): Refusal | null {
  const length = Array.from(password).length;
  return refuseFields({
    name: name.trim() === '' ? 'Enter your name.' : undefined,
    email: complainAboutEmail(email),
    password:
      length === 0
        ? 'Enter a password.'
        : length < MIN_PASSWORD_LENGTH
          ? `Use at least ${MIN_PASSWORD_LENGTH} characters (${length} so far).`
          : undefined,
  });
}

export function checkLogIn({ email, password }: LogIn): Refusal | null {
  return refuseFields({
    email: complainAboutEmail(email),
    password: password === '' ? 'Enter your password.' : undefined,
  });
}

function complainAboutEmail(email: string): string | undefined {
  if (email.trim() === '') return 'Enter your email address.';
  return /^[^\s@]+@[^\s@]+$/.test(email.trim())
    ? undefined
    : 'Enter an email address, such as ada@example.com.';
}
