import { useQuery } from '@tanstack/react-query';
import { membersQuery, sessionQuery } from '../queries.ts';

/** Returns true if the user is an OWNER; undefined until the role is known. */
export function useIsOwner(): boolean | undefined {
  const { data: session } = useQuery(sessionQuery);
  const { data: members } = useQuery(membersQuery);
  const own = members?.find(({ user }) => user.id === session?.user.id);
  return own && own.role === 'OWNER';
}
