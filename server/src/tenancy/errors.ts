import { defineErrors } from '../platform/errors.ts';

export const TENANCY_ERRORS = defineErrors({
  insufficient_scope: { status: 403, title: 'The access token does not allow this' },
  too_many_requests: { status: 429, title: 'Too many requests from this address' },
});
