import { defineErrors } from '../../platform/errors.ts';

export const ORGANIZATION_ERRORS = defineErrors({
  already_member: { status: 409, title: 'The user is already a member' },
  not_movable: { status: 409, title: 'The user cannot leave the current organization' },
  last_owner: { status: 409, title: 'An organization needs an owner' },
});
