import { defineErrors } from '../../platform/errors.ts';

export const ACCOUNT_ERRORS = defineErrors({
  invalid_credentials: { status: 401, title: 'Email or password is wrong' },
  signup_closed: { status: 403, title: 'Sign-up is closed' },
  invitation_required: { status: 403, title: 'Sign-up needs an invitation' },
  email_taken: { status: 409, title: 'The email address is already registered' },
  too_many_logins: { status: 429, title: 'Too many failed logins' },
  too_many_signups: { status: 429, title: 'Too many sign-ups from this address' },
});
