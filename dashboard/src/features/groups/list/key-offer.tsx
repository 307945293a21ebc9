import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { numberOfKey } from '../../../../../server/src/groups/group-key.ts';
import type { Group } from '../../../lib/api-types.ts';
import { nameProjects } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { keyedGroupsQuery } from '../queries.ts';
import { texts } from '../texts.ts';

/**
 * The groups whose key was typed into the search, if the list leaves them out: they are in another state or project, or
 * less severe.
 */
export function KeyOffer({ words, listed }: { words: string; listed: readonly Group[] }) {
  const { data = [] } = useQuery({ ...keyedGroupsQuery(words), enabled: numberOfKey(words) !== null });
  const { data: projects = [] } = useQuery(projectsQuery);
  const names = nameProjects(projects);
  const others = data.filter(({ id }) => !listed.some((group) => group.id === id));
  if (numberOfKey(words) === null || others.length === 0) return null;
  return (
    <ul aria-label={texts.list.withKey} className="my-2 flex flex-wrap gap-1.5">
      {others.map(({ id, key, title, state, projectId }) => (
        <li key={id} className="min-w-0">
          <Link to="/groups/$groupId" params={{ groupId: id }} className={`${buttonClass()} max-w-full`}>
            <span className="flex-none">{key}</span>
            <span className="min-w-0 truncate font-normal">{title}</span>
            <span className="flex-none font-normal text-text-muted">
              {/* Projects of the same name differ in the environment. */}
              {data.length > 1 && `${names.get(projectId) ?? ''} · `}
              {texts.states[state]}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
