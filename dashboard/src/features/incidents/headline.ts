import type { Incident } from '../../lib/api-types.ts';

/**
 * The heading of an incident: the sentence of its cause, and the title if a person chose it. The service's own title
 * adds nothing to the sentence.
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
