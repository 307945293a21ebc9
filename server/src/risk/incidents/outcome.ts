import type { DetectorEvent, SteadyLateSource } from '@tocsin/detector';

/** Outcome of a round for a project. */
export interface RoundOutcome {
  detectorEvents: DetectorEvent[];
  /** Further events of incidents that were open already, by their numbers. */
  added: Map<number, number>;
  /** Number of events that came too late to be counted. */
  lateEvents: number;
  /** Numbers of the incidents that are not over. */
  open: number[];
  /** Sources that are steadily late, if they have changed; null: they have not. */
  lateSources: SteadyLateSource[] | null;
  /** Reason for which the project could not be evaluated: its detector is gone. */
  fault?: unknown;
}

/** Creates the outcome of a project for which a round changed nothing. */
export function createRoundOutcome(): RoundOutcome {
  return { detectorEvents: [], added: new Map(), lateEvents: 0, open: [], lateSources: null };
}
