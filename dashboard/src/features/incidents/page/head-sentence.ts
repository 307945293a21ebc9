import { capitalize } from '../../../../../server/src/incidents/wording.ts';
import type { IncidentDetail } from '../../../lib/api-types.ts';
import { formatDuration } from '../../../lib/format.ts';
import { formatSlotTime } from '../../../ui/charts/chart-time.ts';
import { describeRelease } from '../../../ui/display/incident-numbers.ts';
import type { Figure } from '../../../ui/layout/page-head.tsx';
import { describeAffected } from '../evidence/evidence-words.ts';
import { texts } from '../texts.ts';

interface HeadContext {
  figure: Figure | null;
  /** Name of the person who has it. */
  investigator: string | null;
  nowMs: number;
}

/**
 * Says the head of an incident in one sentence: "Critical, open, no one yet: 64 a minute now, usually 0.3, rising; since 23
 * Nov, 16:40 (8 min), 450 users, new in 4.18.2."
 */
export function describeHead(incident: IncidentDetail, { figure, investigator, nowMs }: HeadContext): string {
  const { severity, status, since, until } = incident;
  const sinceMs = Date.parse(since);
  const duration = formatDuration((until ? Date.parse(until) : Math.max(nowMs, sinceMs)) - sinceMs);
  const who =
    status === 'open' ? texts.head.noOne.toLowerCase() : investigator && texts.head.isOnIt(investigator);
  const state = join([severity, status, who]);
  const facts = join([
    texts.head.from(texts.head.since(formatSlotTime(sinceMs), duration)),
    describeAffected(incident),
    describeRelease(incident),
  ]);
  return `${capitalize(state)}: ${[figure && spell(`${figure.value} ${figure.details}`), facts].filter(Boolean).join('; ')}.`;
}

const join = (parts: (string | null | false)[]) => parts.filter(Boolean).join(', ');

/** Spells units out: a reader says "64 slash min" else. */
function spell(text: string): string {
  return text
    .replaceAll(' · ', ', ')
    .replaceAll('/min', ' a minute')
    .replaceAll('/h', ' an hour')
    .replaceAll('/day', ' a day');
}
