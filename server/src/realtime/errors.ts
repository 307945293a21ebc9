import { defineErrors } from '../platform/errors.ts';

export const REALTIME_ERRORS = defineErrors({
  too_many_connections: { status: 429, title: 'Too many WebSockets are open' },
});
