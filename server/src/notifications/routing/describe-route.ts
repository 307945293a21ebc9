import type { RouteRow } from './route.ts';

const CHANGES: Record<RouteRow['changes'][number], string> = {
  opened: 'opened',
  worse: 'worse',
  resolved: 'resolved',
  group_new: 'new group',
  group_regressed: 'group regressed',
  schedule_missed: 'schedule missed',
};

/** Describes a route as a sentence: the reason that each message states. */
export function describeRoute({
  projectName,
  minSeverity,
  changes,
  maxPerWeek,
}: Pick<RouteRow, 'projectName' | 'minSeverity' | 'changes' | 'maxPerWeek'>): string {
  const projects = projectName === null ? 'all projects' : `the project “${projectName}”`;
  const severity = minSeverity === 'critical' ? 'severity critical' : `severity ${minSeverity} or worse`;
  const names = changes.map((change) => CHANGES[change]).join(', ');
  const bound = maxPerWeek === null ? '' : `, at most ${countMessages(maxPerWeek)} a week`;
  return `A route sends it: ${projects}, ${severity}, ${names}${bound}.`;
}

export function countMessages(count: number): string {
  return count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`;
}
