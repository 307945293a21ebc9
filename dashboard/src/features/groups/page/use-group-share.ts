import { projectsOfKey } from '../../../../../server/src/groups/group-key.ts';
import type { Group, ProjectRecord } from '../../../lib/api-types.ts';
import { projectsQuery, queryClient } from '../../../lib/queries.ts';
import type { MenuItem } from '../../../ui/controls/menu-props.ts';
import { useShareItems } from '../../../ui/feedback/use-share-items.ts';
import { toMarkdown } from './group-markdown.ts';

/** Returns the actions that copy a group for others: its address (by its key if that is unambiguous), or a description as text. */
export function useGroupShare(group: Group, project: string | null): MenuItem[] {
  return useShareItems({
    link: async () => addressOf(group, await queryClient.ensureQueryData(projectsQuery)),
    markdown: () =>
      toMarkdown(group, { url: addressOf(group, queryClient.getQueryData(projectsQuery.queryKey)), project }),
  });
}

/** @param projects undefined until they are known */
function addressOf(group: Group, projects: ProjectRecord[] | undefined): string {
  // A key of two projects leads to a choice, not to the group.
  const isOnly = projects && projectsOfKey(projects, group.key).length === 1;
  const name = encodeURIComponent(isOnly ? group.key : group.id);
  return `${location.origin}${import.meta.env.BASE_URL}groups/${name}`;
}
