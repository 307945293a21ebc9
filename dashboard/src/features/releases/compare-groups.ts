import type { Group } from '../../lib/api-types.ts';

type ComparedGroup = Pick<Group, 'id' | 'firstRelease'>;

/** Compares two releases: returns the groups that began with the later one, and those without events in it. */
export function compareGroups<G extends ComparedGroup>(
  later: { release: string; groups: readonly G[] },
  earlier: { groups: readonly G[] },
): { begun: G[]; gone: G[] } {
  const seen = new Set(later.groups.map(({ id }) => id));
  return {
    begun: later.groups.filter(({ firstRelease }) => firstRelease === later.release),
    gone: earlier.groups.filter(({ id }) => !seen.has(id)),
  };
}
