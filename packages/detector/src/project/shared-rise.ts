import type { SeriesGroup } from '../group/series-group.ts';
import { UP } from '../state/side.ts';
import type { Alarm } from './alarm-subject.ts';
import { ONGOING_MINUTES } from './incident-relations.ts';
import type { IncidentTracker } from './incident-tracker.ts';
import type { SeriesRegistry } from './series-registry.ts';

interface ProjectRises {
  tracker: IncidentTracker;
  registry: SeriesRegistry;
  group: SeriesGroup;
}

/**
 * True if a series, whose rise at a coarse step is open, rose with others of its incident at the minute, and all of these
 * rises are over: their cause has ended for those that show it first.
 */
export function othersAreOver({ tracker, registry, group }: ProjectRises, index: number): boolean {
  const isOwn = ({ subject, side, coarseStep }: Alarm) =>
    side === UP && coarseStep !== undefined && subject.kind === 'series' && subject.index === index;
  const incident = tracker.openIncidents.find(({ open }) => open.some(isOwn));
  if (!incident) return false;
  const lasts = ({ subject, side, coarseStep }: Alarm) =>
    side === UP && coarseStep === undefined && (subject.kind === 'series' || subject.kind === 'share');
  if (incident.open.some(lasts)) return false;
  return incident.members.some((member) => {
    const other = registry.indexOf({ ...member, fingerprint: null });
    return other !== null && other !== index && group.series.read(other).hadClosed(UP, ONGOING_MINUTES);
  });
}
