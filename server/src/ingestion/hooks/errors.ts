import { defineErrors } from '../../platform/errors.ts';

export const HOOK_ERRORS = defineErrors({
  invalid_signature: { status: 401, title: 'The signature is missing, wrong or too old' },
  too_many_deliveries: { status: 429, title: 'Too many requests to the hook' },
});
