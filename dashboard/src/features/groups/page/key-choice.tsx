import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Group } from '../../../lib/api-types.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { Message } from '../../../ui/event/message.tsx';
import { texts } from '../texts.ts';

/** A choice of groups with the same key, whose projects have the same name or the same beginning of it. */
export function KeyChoice({ groupKey, groups }: { groupKey: string; groups: readonly Group[] }) {
  const { data: projects = [] } = useQuery(projectsQuery);
  return (
    <>
      <p className="mb-3 text-text-muted">{texts.page.severalOfKey(groupKey)}</p>
      <ul aria-label={groupKey} className="divide-y divide-line border-y border-line">
        {groups.map(({ id, title, projectId }) => {
          const project = projects.find((one) => one.id === projectId);
          return (
            <li key={id} className="relative px-2 py-2 hover:bg-hover">
              <Link
                to="/groups/$groupId"
                params={{ groupId: id }}
                className="block truncate rounded -outline-offset-1 after:absolute after:inset-0"
              >
                <Message text={title} />
              </Link>
              <span className="text-xs text-text-muted">{project && describeProject(project)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
