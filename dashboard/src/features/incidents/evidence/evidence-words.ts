import { formatSpan } from '../../../../../server/src/incidents/wording.ts';
import type { Evidence } from '../../../lib/api-types.ts';
import { formatSlotTime } from '../../../ui/charts/chart-time.ts';

/** The window in which it was found: "3 min from 21 Nov, 12:00". */
export function formatWindow({ windowSeconds, from }: Pick<Evidence, 'windowSeconds' | 'from'>): string {
  return `${formatSpan(windowSeconds / 60)} from ${formatSlotTime(Date.parse(from))}`;
}

/** Whether it is about what did not come: then the events are those before it. */
export function isAboutAbsence({ rule }: Pick<Evidence, 'rule'>): boolean {
  return rule === 'drop' || rule === 'silence';
}
