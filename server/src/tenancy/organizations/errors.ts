import { defineErrors } from '../../platform/errors.ts';

export const ORGANIZATION_ERRORS = defineErrors({
  already_member: { status: 409, title: 'The user is already a member' },
  last_owner: { status: 409, title: 'An organization needs an owner' },
});
