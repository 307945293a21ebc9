import type { Incident } from '../lib/api-types.ts';

/** A change of an incident that needs attention. */
export interface News {
  incident: Incident;
  /** Kind of change: `New incident`, `Now critical`. */
  headline: string;
  /** Sentence about the change; null: the title is shown. */
  sentence: string | null;
  /** Name of the project; null if it is not known, or if there is only one. */
  project: string | null;
}
