import { defineErrors } from '../../platform/errors.ts';

export const TOKEN_ERRORS = defineErrors({
  invalid_token: { status: 401, title: 'The access token is unknown, expired or revoked' },
  insufficient_scope: { status: 403, title: 'The access token does not allow this' },
});
