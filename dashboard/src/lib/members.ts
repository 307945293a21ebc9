import { useQuery } from '@tanstack/react-query';
import { membersQuery } from './queries.ts';

/** The name of a user of the organization; null while it is not known, and where no user is meant. */
export function useMemberName(userId: string | null | undefined): string | null {
  const { data: members } = useQuery({ ...membersQuery, enabled: Boolean(userId), staleTime: 60_000 });
  if (!userId || !members) return null;
  return members.find(({ user }) => user.id === userId)?.user.name ?? 'Former member';
}

/** Names of users of the organization by their ids. */
export function useMemberNames(): (userId: string) => string {
  const { data: members } = useQuery({ ...membersQuery, staleTime: 60_000 });
  return (userId) => members?.find(({ user }) => user.id === userId)?.user.name ?? 'Former member';
}
