import type { DecisionOutcome } from '../api-types.ts';

/** In the order in which they are offered. */
export const OUTCOMES = [
  'suppressed',
  'opened',
  'joined',
  'closed',
  'resolved',
  'left_open',
] as const satisfies DecisionOutcome[];

export type OutcomeChoice = DecisionOutcome | 'all';

/** The parameters of the alarms page besides the scope. */
export interface AlarmSearch {
  /** Which decisions are listed; default: those that opened nothing. */
  outcome?: OutcomeChoice | undefined;
}

export function readAlarmSearch({ outcome }: Record<string, unknown>): AlarmSearch {
  return { outcome: outcome === 'all' ? outcome : OUTCOMES.find((known) => known === outcome) };
}
