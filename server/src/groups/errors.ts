import { defineErrors } from '../platform/errors.ts';

export const GROUP_ERRORS = defineErrors({
  no_release: { status: 409, title: 'The project has no release yet' },
  not_mergeable: { status: 409, title: 'These groups cannot be merged' },
});
