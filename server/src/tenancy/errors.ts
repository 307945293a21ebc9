import { defineErrors } from '../platform/errors.ts';

export const TENANCY_ERRORS = defineErrors({
  too_many_requests: { status: 429, title: 'Too many requests from this address' },
});
