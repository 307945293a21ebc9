import { defineErrors } from '../../platform/errors.ts';

export const RECOVERY_ERRORS = defineErrors({
  invalid_recovery_link: { status: 404, title: 'The recovery link is not valid' },
  membership_not_confirmed: { status: 409, title: 'The member has not confirmed the membership' },
  no_account_mail: { status: 409, title: 'The service sends no mail to users' },
  too_many_email_changes: { status: 429, title: 'Too many changes of the email address' },
});
