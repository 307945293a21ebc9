import { describe, expect, it } from 'vitest';
import { compareGroups } from './compare-groups.ts';

const group = (id: string, events: number, firstRelease = '0.9.0') => ({
  id,
  severity: 'error' as const,
  firstRelease,
  events,
});
const release = (version: string, groups: ReturnType<typeof group>[], uncounted: string[] = []) => ({
  version,
  events: 100,
  groups,
  uncounted: new Set(uncounted),
});

describe('the groups of two releases', () => {
  it.each(['0.9.0', '1.1.0'])(
    'says nothing of a group from %s whose events of the base were not counted',
    (firstRelease) => {
      const later = release('1.1.0', [group('a', 5, firstRelease)]);
      expect(compareGroups(later, release('1.0.0', [], ['a']))).toMatchObject({ groups: [] });
      expect(compareGroups(later, release('1.0.0', []))).toMatchObject({ groups: [{ id: 'a' }] });
    },
  );

  it('says nothing of a group whose events of the release were not counted', () => {
    const base = release('1.0.0', [group('a', 5)]);
    expect(compareGroups(release('1.1.0', [], ['a']), base)).toMatchObject({ groups: [] });
    expect(compareGroups(release('1.1.0', []), base)).toMatchObject({ groups: [{ change: 'gone' }] });
  });
});
