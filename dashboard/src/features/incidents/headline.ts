import type { Incident } from '../../lib/api-types.ts';

/**
 * What an incident is called: the sentence that says why, and the title where a person chose it. The title that the
 * service words says no more than the sentence.
 */
export function headlineOf({
  title,
  titleOrigin,
  evidence,
}: Pick<Incident, 'title' | 'titleOrigin' | 'evidence'>): {
  sentence: string;
  /** Null: the sentence is enough. */
  chosenTitle: string | null;
} {
  if (!evidence) return { sentence: title, chosenTitle: null };
  return { sentence: evidence.sentence, chosenTitle: titleOrigin === 'person' ? title : null };
}
