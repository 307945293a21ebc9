import { defineErrors } from '../platform/errors.ts';

export const SCHEDULE_ERRORS = defineErrors({
  slug_taken: { status: 409, title: 'The project has a schedule with this slug' },
  too_many_check_ins: { status: 429, title: 'Too many check-ins of the schedule' },
});
