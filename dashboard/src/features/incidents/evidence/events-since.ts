import type { Evidence } from '../../../lib/api-types.ts';
import { MINUTE_MS } from '../../../lib/durations.ts';
import { isAboutAbsence } from './evidence-words.ts';

/**
 * The events of an incident that were captured since it began, by the minute as they are counted; the others were
 * imported, or came late. Where all came late they are what was evaluated, by the time of receipt.
 */
export function splitLate<E extends { capturedAt: string }>(
  events: E[],
  { from, rule }: Pick<Evidence, 'from' | 'rule'>,
): { events: E[]; late: number } {
  if (isAboutAbsence({ rule })) return { events, late: 0 };
  const beganMs = Math.floor(Date.parse(from) / MINUTE_MS) * MINUTE_MS;
  const since = events.filter(({ capturedAt }) => Date.parse(capturedAt) >= beganMs);
  return since.length === 0 ? { events, late: 0 } : { events: since, late: events.length - since.length };
}
