import type { DetectorEvent, SteadyLateSource } from '@tocsin/detector';

/** What a round brings for a project. */
export interface RoundOutcome {
  verdicts: DetectorEvent[];
  /** Further events of incidents that were open already, by their numbers. */
  raised: Map<number, number>;
  /** Events that came too late to be counted. */
  lateEvents: number;
  /** The numbers of the incidents that are not over. */
  open: number[];
  /** Sources that are steadily late, where that has changed; null: it has not. */
  lateSources: SteadyLateSource[] | null;
  /** Why the project could not be evaluated: its detector is gone. */
  fault?: unknown;
}

/** Of a project for which a round brought nothing. */
export function createRoundOutcome(): RoundOutcome {
  return { verdicts: [], raised: new Map(), lateEvents: 0, open: [], lateSources: null };
}
