import { defineErrors } from '../../platform/errors.ts';

export const RECOVERY_ERRORS = defineErrors({
  invalid_recovery_link: { status: 404, title: 'The recovery link is not valid' },
  membership_not_confirmed: { status: 409, title: 'The member has not confirmed the membership' },
});
