import { describe, expect, it } from 'vitest';
import type { Incident } from '../../incidents/schema.ts';
import { describeRelease, incidentFacts, NO_EXTRAS } from './incident-words.ts';

const INCIDENT: Pick<Incident, 'mainGroup' | 'release' | 'rate' | 'eventCount' | 'investigatorId'> = {
  mainGroup: {
    groupId: 'grp_01h455vb4pex5vsknk084sn02q',
    key: 'SHOP-2',
    title: 'TypeError: cart is undefined',
    share: 0.86,
  },
  release: { version: '4.18.2', says: 'new', alsoIn: [] },
  rate: { observed: 64, usual: 0.3, unit: 'per_minute' },
  eventCount: 1_386,
  investigatorId: 'usr_01h455vb4pex5vsknk084sn02q',
};
// Only these fields of an incident are read.
const factsOf = (changes: Partial<typeof INCIDENT>, extras = {}) =>
  incidentFacts({ ...INCIDENT, ...changes } as Incident, { ...NO_EXTRAS, ...extras });

describe('the facts of an incident in a message', () => {
  it('lists error, share, release, events, users, rate and investigator', () => {
    const extras = { investigator: 'Ada', users: { count: 450, isExact: false }, perMinute: 52.4 };
    expect(factsOf({}, extras)).toEqual([
      { label: 'Error', value: 'TypeError: cart is undefined (86%)' },
      { label: 'Release', value: 'new in 4.18.2' },
      { label: 'Events', value: '1,386' },
      { label: 'Users', value: 'at least 450' },
      { label: 'Now', value: '52 a minute, usually 0.3' },
      { label: 'Taken by', value: 'Ada' },
    ]);
  });

  it('omits unknown facts and zero counts', () => {
    const unknown = { mainGroup: null, release: null, rate: null, eventCount: 0, investigatorId: null };
    expect(factsOf(unknown, { users: { count: 0, isExact: true } })).toEqual([]);
  });
});

describe('describeRelease', () => {
  it.each([
    ['all', [], 'all from 4.18.2 in this incident'],
    ['returned', ['4.18.1', '4.18.0'], 'all from 4.18.2; returned: also in 4.18.1 and 4.18.0'],
    ['more', [], 'more than usual in 4.18.2'],
    ['timing', [], '4.18.2 was deployed shortly before'],
  ] as const)('words what a release says: %s', (says, alsoIn, words) => {
    expect(describeRelease({ version: '4.18.2', says, alsoIn: [...alsoIn] })).toBe(words);
  });
});
