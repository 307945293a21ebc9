import { defineErrors } from '../../platform/errors.ts';

export const INVITATION_ERRORS = defineErrors({
  invalid_invitation: { status: 404, title: 'The invitation is not valid' },
  invitation_for_other: { status: 403, title: 'The invitation is for another email address' },
});
