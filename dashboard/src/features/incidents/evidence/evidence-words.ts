import { formatSpan } from '../../../../../server/src/incidents/wording.ts';
import type { Evidence, Incident, IncidentDetail, IncidentGroup } from '../../../lib/api-types.ts';
import { formatSlotTime } from '../../../ui/charts/chart-time.ts';
import { texts } from '../texts.ts';

/** Formats the window in which an incident was found: "3 min from 21 Nov, 12:00". */
export function formatWindow({ windowSeconds, from }: Pick<Evidence, 'windowSeconds' | 'from'>): string {
  return texts.head.window(formatSpan(windowSeconds / 60), formatSlotTime(Date.parse(from)));
}

/** Returns true if an incident is about missing events: then its events are those before it. */
export function isAboutAbsence({ rule }: Pick<Evidence, 'rule'>): boolean {
  return rule === 'drop' || rule === 'silence';
}

/** Explains why there are no events to show: none came before it, none were found, or none are still stored. */
export function explainNoEvents({ rule, sampleEventIds }: Pick<Evidence, 'rule' | 'sampleEventIds'>): string {
  if (isAboutAbsence({ rule })) return texts.surroundings.noneBefore;
  return sampleEventIds.length > 0 ? texts.surroundings.notStored : texts.surroundings.none;
}

/**
 * Returns "322 users · 37 failed payments, €4,210", "at least 322 users"; null if the events name none, or the count timed
 * out.
 */
export function describeAffected({ facts }: Pick<IncidentDetail, 'facts'>): string | null {
  if (!facts) return null;
  const { users, failedPayments } = facts;
  const people = users.count > 0 && texts.groups.users(users.count, !users.isExact);
  return [people, failedPayments?.text].filter(Boolean).join(' · ') || null;
}

/** Returns "12 events"; null for an incident that counts none, such as one about missing events. */
export function countEvents({ eventCount }: Pick<Incident, 'eventCount'>, format: (count: number) => string) {
  return eventCount === 0 ? null : texts.head.events(format(eventCount));
}

/**
 * Describes the only release that ever had a group, or else the release of its events in this incident beside those
 * before it. Null if its events are of several releases, or of none.
 */
export function describeReleases({
  releases,
  otherReleases,
  allReleases,
  otherAllReleases,
}: Pick<IncidentGroup, 'releases' | 'otherReleases' | 'allReleases' | 'otherAllReleases'>): string | null {
  const [release, ...others] = releases;
  if (!release?.version || others.length > 0 || otherReleases > 0) return null;
  // The newest come first. Those before one that is not among them are not known.
  const place = allReleases.indexOf(release.version);
  const earlier = place === -1 ? [] : allReleases.slice(place + 1);
  if (place === 0 && earlier.length === 0 && otherAllReleases === 0)
    return texts.groups.onlyRelease(release.version);
  return texts.groups.allFrom(release.version, earlier, place === -1 ? 0 : otherAllReleases);
}
