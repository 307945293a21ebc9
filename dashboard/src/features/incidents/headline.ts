import type { Incident } from '../../lib/api-types.ts';

/** The title that the service gives says no more than the sentence; one that somebody chose says more. */
const GIVEN_TITLE =
  /^(Rise: |Drop: |Silence: |Failed payments|New error: |At least |Critical: |Critical events: |[\d,]+ [^:]+ in \d+ min: |Errors: )/;

/** What an incident is called: the sentence that says why, and the title where it adds to that. */
export function headlineOf({ title, evidence }: Pick<Incident, 'title' | 'evidence'>): {
  sentence: string;
  /** Null: the sentence is enough. */
  chosenTitle: string | null;
} {
  if (!evidence) return { sentence: title, chosenTitle: null };
  return { sentence: evidence.sentence, chosenTitle: GIVEN_TITLE.test(title) ? null : title };
}
