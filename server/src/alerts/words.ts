import { formatSpan, toPlain } from '../incidents/wording.ts';
import { MINUTE_MS } from '../platform/durations.ts';
import type { AlertNotice, AlertOrigin, ListedAlert } from './notice.ts';

const NAMES: Record<AlertOrigin, string> = { alertmanager: 'Alertmanager', grafana: 'Grafana' };

/** Maximum alerts that a sentence names. */
const MAX_NAMED = 3;

/** Sentence about alerts that began to fire: "Alertmanager: 2 alerts fire: “…” and “…”." */
export function describeStarted(
  { origin, truncated }: Pick<AlertNotice, 'origin' | 'truncated'>,
  started: readonly ListedAlert[],
): string {
  const named = started.slice(0, MAX_NAMED).map(({ title }) => `“${toPlain(title)}”`);
  const more = started.length - named.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])];
  const said =
    started.length === 1
      ? `${list[0]} fires.`
      : `${started.length} alerts fire: ${list.slice(0, -1).join(', ')} and ${list.at(-1)}.`;
  const omitted = truncated > 0 ? ` ${truncated} more are left out.` : '';
  return `${NAMES[origin]}: ${said}${omitted}`;
}

/** Sentence about the end of a group. */
export function describeEnd(origin: AlertOrigin): string {
  return `All alerts of ${NAMES[origin]} are over.`;
}

/** Sentence about alerts that are no longer repeated. */
export function describeMissing(origin: AlertOrigin, patienceMs: number): string {
  return `${NAMES[origin]} hasn’t repeated its alerts for ${formatSpan(patienceMs / MINUTE_MS)}, so they count as over.`;
}
