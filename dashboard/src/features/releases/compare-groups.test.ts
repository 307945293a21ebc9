import { expect, it } from 'vitest';
import { compareGroups } from './compare-groups.ts';

it('finds groups that began with the later release, and those that it has no events of', () => {
  const group = (id: string, firstRelease: string | null) => ({ id, firstRelease });
  const [old, both, begun, early] = [
    group('grp_1', '1.0'),
    group('grp_2', '1.0'),
    group('grp_3', '1.1'),
    group('grp_4', null),
  ];
  expect(compareGroups({ release: '1.1', groups: [both, begun] }, { groups: [old, both, early] })).toEqual({
    begun: [begun],
    gone: [old, early],
  });
});
