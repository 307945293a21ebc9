import { defineErrors } from '../platform/errors.ts';

export const INCIDENT_ERRORS = defineErrors({
  invalid_transition: { status: 409, title: 'Incidents only move forward' },
});
