import { formatSpan } from '../../../../../server/src/incidents/wording.ts';
import type { Evidence, Incident, IncidentDetail } from '../../../lib/api-types.ts';
import { formatSlotTime } from '../../../ui/charts/chart-time.ts';
import { texts } from '../texts.ts';

/** The window in which it was found: "3 min from 21 Nov, 12:00". */
export function formatWindow({ windowSeconds, from }: Pick<Evidence, 'windowSeconds' | 'from'>): string {
  return texts.head.window(formatSpan(windowSeconds / 60), formatSlotTime(Date.parse(from)));
}

/** Whether it is about what did not come: then the events are those before it. */
export function isAboutAbsence({ rule }: Pick<Evidence, 'rule'>): boolean {
  return rule === 'drop' || rule === 'silence';
}

/** Why there are no events to show: what is missing may never have been there. */
export function explainNoEvents({ rule, sampleEventIds }: Pick<Evidence, 'rule' | 'sampleEventIds'>): string {
  if (isAboutAbsence({ rule })) return texts.surroundings.noneBefore;
  return sampleEventIds.length > 0 ? texts.surroundings.notStored : texts.surroundings.none;
}

/** "322 users", "at least 322 users"; null where the events name none, and where it is not known in time. */
export function describeUsers({ facts }: Pick<IncidentDetail, 'facts'>): string | null {
  return facts && facts.users.count > 0 ? texts.groups.users(facts.users.count, !facts.users.isExact) : null;
}

/** "12 events"; null of an incident that counts none, as of what is missing. */
export function countEvents({ eventCount }: Pick<Incident, 'eventCount'>, format: (count: number) => string) {
  return eventCount === 0 ? null : texts.head.events(format(eventCount));
}
