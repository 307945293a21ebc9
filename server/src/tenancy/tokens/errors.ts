import { defineErrors } from '../../platform/errors.ts';

export const TOKEN_ERRORS = defineErrors({
  invalid_token: { status: 401, title: 'The access token is unknown, expired or revoked' },
});
