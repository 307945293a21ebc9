import { defineErrors } from '../../platform/errors.ts';

export const SECOND_FACTOR_ERRORS = defineErrors({
  totp_required: { status: 401, title: 'The login needs a one-time code' },
  invalid_totp_code: { status: 401, title: 'The one-time code is wrong' },
  totp_active: { status: 409, title: 'Two-factor authentication is on' },
  totp_not_active: { status: 409, title: 'Two-factor authentication is not on' },
});
