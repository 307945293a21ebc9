import { defineErrors } from '../../platform/errors.ts';

export const DEAD_LETTER_ERRORS = defineErrors({
  erasure_unfinished: { status: 409, title: 'An erasure of the organization is not done' },
  unreadable_dead_letter: { status: 409, title: 'The dead letter cannot be read' },
});
