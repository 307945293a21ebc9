import { defineErrors } from '../../platform/errors.ts';

export const API_KEY_ERRORS = defineErrors({
  invalid_api_key: { status: 401, title: 'The API key is missing, unknown or revoked' },
});
