import type { Outcome, Suppression } from '../../lib/api-types.ts';

export const OUTCOME_WORDS: Record<Outcome, string> = {
  suppressed: 'did not alarm',
  opened: 'opened an incident',
  joined: 'joined an incident',
  closed: 'one alarm over',
  resolved: 'all over, resolved',
  left_open: 'all over, left open',
};

/** Why something unusual opened nothing. */
export const REASON_WORDS: Record<Suppression, string> = {
  small_effect: 'Unusual, but too small to be worth somebody’s attention.',
  hour_of_week: 'It was like this at this hour last week, too.',
  recovery: 'It is on its way back to the level before.',
  fewer_errors: 'Fewer errors than usual are no trouble.',
  fewer_failures: 'Fewer failed payments than usual are no trouble.',
  late: 'Events that were captured long before say nothing about now: an import, or a delayed delivery.',
  new_kinds_are_usual: 'Errors of new kinds are usual in this project.',
};
