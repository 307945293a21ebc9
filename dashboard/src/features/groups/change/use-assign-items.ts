import { useQuery } from '@tanstack/react-query';
import type { Group, GroupPatch } from '../../../lib/api-types.ts';
import { membersQuery, sessionQuery } from '../../../lib/queries.ts';
import type { MenuItem } from '../../../ui/controls/menu-props.ts';
import { texts } from '../texts.ts';

/** Returns the choices of the assignee of groups: the user, the other members, none. */
export function useAssignItems(groups: readonly Group[], onChange: (patch: GroupPatch) => void): MenuItem[] {
  const { data: members = [] } = useQuery({ ...membersQuery, staleTime: 60_000 });
  const { data: session } = useQuery(sessionQuery);
  const own = session?.user.id;
  const assignees = new Set(groups.map(({ assigneeId }) => assigneeId));
  const itemOf = (id: string | null, label: string) => ({
    label,
    hint: id !== null && id === own ? texts.change.you : undefined,
    checked: assignees.size === 1 && assignees.has(id),
    onSelect: () => onChange({ assigneeId: id }),
  });
  return [
    ...members
      .toSorted((one, other) => Number(other.user.id === own) - Number(one.user.id === own))
      .map(({ user }) => itemOf(user.id, user.name)),
    itemOf(null, texts.list.unassigned),
  ];
}
