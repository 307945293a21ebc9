import { defineErrors } from '../platform/errors.ts';

export const NOTIFICATION_ERRORS = defineErrors({
  too_many_tests: { status: 429, title: 'Too many test messages' },
});
