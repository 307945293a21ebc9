import type { DecisionOutcome, Suppression } from '../../lib/api-types.ts';

export const OUTCOME_WORDS: Record<DecisionOutcome, string> = {
  suppressed: 'kept quiet',
  opened: 'opened an incident',
  joined: 'joined an incident',
  closed: 'back to normal',
  resolved: 'recovered, resolved',
  left_open: 'recovered, left open',
};

/** Why something unusual opened nothing. */
export const REASON_WORDS: Record<Suppression, string> = {
  small_effect: 'Unusual, but too small to matter.',
  hour_of_week: 'Same as this time last week.',
  recovery: 'Returning to normal.',
  fewer_errors: 'Fewer errors is good news.',
  fewer_failures: 'Fewer failed payments is good news.',
  late: 'Imported or delivered late: events captured long ago say nothing about now.',
  new_kinds_are_usual: 'New errors are common in this project.',
};
