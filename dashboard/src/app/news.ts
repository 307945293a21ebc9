import type { Incident } from '../lib/api-types.ts';

/** A change of an incident that needs attention. */
export interface News {
  incident: Incident;
  /** The kind of change: `New incident`, `Now critical`. */
  says: string;
  /** Sentence about the change; null: the title is shown. */
  sentence: string | null;
  /** Null: it is not known, or there is but one. */
  project: string | null;
}
