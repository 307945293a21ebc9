import type { DecisionOutcome } from '../api-types.ts';

/** Outcomes in the order of the filter. */
export const OUTCOMES = [
  'suppressed',
  'opened',
  'joined',
  'closed',
  'resolved',
  'left_open',
] as const satisfies DecisionOutcome[];

export type OutcomeChoice = DecisionOutcome | 'all';

/** Parameters of the alerts page besides the scope. */
export interface AlarmSearch {
  /** Filter of the decisions; default: those that opened nothing. */
  outcome?: OutcomeChoice | undefined;
}

export function readAlarmSearch({ outcome }: Record<string, unknown>): AlarmSearch {
  return { outcome: outcome === 'all' ? outcome : OUTCOMES.find((known) => known === outcome) };
}
