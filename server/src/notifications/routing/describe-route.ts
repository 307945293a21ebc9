import type { RouteRow } from './route.ts';

const CHANGES: Record<RouteRow['changes'][number], string> = {
  opened: 'opened',
  worse: 'worse',
  resolved: 'resolved',
  group_new: 'new group',
  group_regressed: 'group regressed',
  schedule_missed: 'schedule missed',
};

/** A route as a sentence: the reason that each message states. */
export function describeRoute({ projectName, minSeverity, changes }: RouteRow): string {
  const projects = projectName === null ? 'all projects' : `the project “${projectName}”`;
  const severity = minSeverity === 'critical' ? 'severity critical' : `severity ${minSeverity} or worse`;
  return `A route sends it: ${projects}, ${severity}, ${changes.map((change) => CHANGES[change]).join(', ')}.`;
}
