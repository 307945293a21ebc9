import { defineErrors } from '../platform/errors.ts';

export const NOTIFICATION_ERRORS = defineErrors({
  too_many_tests: { status: 429, title: 'Too many test messages' },
  invalid_confirmation: { status: 404, title: 'The confirmation link is not valid' },
  nothing_to_confirm: { status: 409, title: 'The target needs no confirmation' },
  no_confirmation_mail: { status: 409, title: 'The service sends no confirmation mail' },
  too_many_confirmations: { status: 429, title: 'Too many confirmation mails' },
});
