import { describe, expect, it } from 'vitest';
import { releaseOf } from './lead-fields.ts';
import type { IncidentRow } from './rows.ts';

/** Evidence whose errors come from 4.18.2, with the releases of its main group; null: no group is the main one. */
function evidenceOf(says: 'all' | 'more', releases: string[] | null): IncidentRow['evidence'] {
  const main = releases && { groupId: 'group', key: 'SHOP-1', title: 'No card', source: null, releases };
  // Only these fields are read.
  return {
    release: { release: '4.18.2', says },
    lead: { main },
  } as unknown as IncidentRow['evidence'];
}

describe('releaseOf', () => {
  it.each<['all' | 'more', string[] | null, string, string[]]>([
    ['all', ['4.18.2'], 'new', []],
    ['all', ['4.18.2', '4.18.1', '4.17'], 'returned', ['4.18.1', '4.17']],
    ['all', ['4.19', '4.18.2', '4.17'], 'returned', ['4.17']],
    ['all', ['4.18.1'], 'returned', ['4.18.1']],
    ['all', ['4.19', '4.18.2'], 'all', []],
    ['all', null, 'all', []],
    ['more', ['4.19', '4.18.2', '4.17'], 'more', ['4.17']],
  ])(
    'says of errors that are %s from 4.18.2 in a group with the releases %j: %s, after %j',
    (compared, releases, says, alsoIn) => {
      const evidence = evidenceOf(compared, releases);
      expect(releaseOf({ evidence })).toEqual({ version: '4.18.2', says, alsoIn });
    },
  );

  it('describes no release without a comparison', () => {
    expect(releaseOf({ evidence: null })).toBeNull();
  });
});
