import type { DecisionOutcome } from './api-types.ts';

/** In the order in which they are offered. */
export const OUTCOMES = [
  'suppressed',
  'opened',
  'joined',
  'closed',
  'resolved',
  'left_open',
] as const satisfies DecisionOutcome[];

/** The parameters of the alarms page besides the scope. */
export interface AlarmSearch {
  /** Which decisions are listed; default: all. */
  outcome?: DecisionOutcome | undefined;
}

export function readAlarmSearch({ outcome }: Record<string, unknown>): AlarmSearch {
  return { outcome: OUTCOMES.find((known) => known === outcome) };
}
