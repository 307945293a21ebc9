import { useQuery } from '@tanstack/react-query';
import type { ProjectRecord } from '../lib/api-types.ts';
import { useNow } from '../lib/clock.ts';
import { DAY_MS } from '../lib/durations.ts';
import { describeProject } from '../lib/project-name.ts';
import { projectsQuery } from '../lib/queries.ts';
import { boundsOf, useScope } from '../lib/scope.ts';
import { SEVERITIES } from '../lib/severity.ts';
import { rangeTexts as texts } from './range-texts.ts';

/** Maximum choices of projects that are named. */
const MAX_NAMED = 3;

/** Names the severities whose events the chosen projects keep for less time than the range reaches back. */
export function RetentionNote() {
  const [scope] = useScope();
  const now = useNow();
  const { data: projects = [] } = useQuery(projectsQuery);
  const chosen = projects.filter(({ id }) => scope.project === undefined || id === scope.project);
  const shorter = chosen.flatMap((project) => describeShorter(project, now - boundsOf(scope, now).fromMs));
  if (shorter.length === 0) return null;
  return (
    <p className="border-b border-line px-4 py-1 text-xs text-text-muted">
      {[
        ...shorter.slice(0, MAX_NAMED),
        ...(shorter.length > MAX_NAMED ? [texts.keptMore(shorter.length - MAX_NAMED)] : []),
        texts.keptCounts,
      ].join(' ')}
    </p>
  );
}

function describeShorter(project: ProjectRecord, agoMs: number): string[] {
  return SEVERITIES.flatMap((severity) => {
    const days = project.retention[severity];
    return days !== undefined && days * DAY_MS < agoMs
      ? [texts.kept(describeProject(project), severity, days)]
      : [];
  });
}
