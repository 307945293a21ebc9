import { defineErrors } from '../../platform/errors.ts';

export const INTAKE_ERRORS = defineErrors({
  project_over_share: { status: 429, title: 'The project has used its share of the waiting places' },
  over_quota: { status: 429, title: 'A quota is used up' },
});
