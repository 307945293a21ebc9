import { defineErrors } from '../../platform/errors.ts';

export const ENVELOPE_ERRORS = defineErrors({
  invalid_dsn: { status: 403, title: 'The DSN is unknown' },
  browser_key_refused: { status: 403, title: 'The key for browsers does not allow this' },
});
