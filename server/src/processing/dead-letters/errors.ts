import { defineErrors } from '../../platform/errors.ts';

export const DEAD_LETTER_ERRORS = defineErrors({
  unreadable_dead_letter: { status: 409, title: 'The dead letter cannot be read' },
});
