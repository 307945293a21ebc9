import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../queries.ts';

/** Returns the name of a user of the organization; null while it is not known, or without a user. */
export function useMemberName(userId: string | null | undefined): string | null {
  const { data: members } = useQuery({ ...membersQuery, enabled: Boolean(userId), staleTime: 60_000 });
  if (!userId || !members) return null;
  return members.find(({ user }) => user.id === userId)?.user.name ?? 'Former member';
}

/** Returns a function that names users of the organization by id. */
export function useMemberNames(): (userId: string) => string {
  const { data: members } = useQuery({ ...membersQuery, staleTime: 60_000 });
  return (userId) => members?.find(({ user }) => user.id === userId)?.user.name ?? 'Former member';
}
