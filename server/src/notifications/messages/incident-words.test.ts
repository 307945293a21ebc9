import { describe, expect, it } from 'vitest';
import type { Incident } from '../../incidents/schema.ts';
import { describeRelease, incidentFacts, NO_EXTRAS } from './incident-words.ts';

const INCIDENT: Pick<Incident, 'release' | 'rate' | 'eventCount' | 'investigatorId' | 'links'> = {
  release: { version: '4.18.2', says: 'new', alsoIn: [] },
  rate: { observed: 64, usual: 0.3, unit: 'per_minute' },
  eventCount: 1_386,
  investigatorId: 'usr_01h455vb4pex5vsknk084sn02q',
  links: [],
};
// Only these fields of an incident are read.
const factsOf = (changes: Partial<typeof INCIDENT>, extras = {}) =>
  incidentFacts({ ...INCIDENT, ...changes } as Incident, { ...NO_EXTRAS, ...extras });

describe('the facts of an incident in a message', () => {
  it('lists error, share, release, events, failed payments, users, rate and investigator', () => {
    const extras = {
      investigator: 'Ada',
      users: { count: 450, isExact: false },
      failedPayments: {
        count: 37,
        amounts: [{ currency: 'EUR', amount: '4210.00', count: 37 }],
        otherCurrencies: 0,
        from: null,
        text: '37 failed payments, €4,210',
      },
      error: { title: 'TypeError: cart is undefined', share: 0.43 },
      current: { observed: 52.4, unit: 'per_minute' },
    };
    expect(factsOf({}, extras)).toEqual([
      { label: 'Error', value: 'TypeError: cart is undefined (43%)' },
      { label: 'Release', value: 'new in 4.18.2' },
      { label: 'Events', value: '1,386' },
      { label: 'Payments', value: '37 failed payments, €4,210' },
      { label: 'Users', value: 'at least 450' },
      { label: 'Now', value: '52 a minute, usually 0.3' },
      { label: 'Taken by', value: 'Ada' },
    ]);
  });

  it.each([
    [
      { observed: 23.4, unit: 'percent' },
      { observed: 31, usual: 3, unit: 'percent' },
      '23% of payments, usually 3%',
    ],
    [
      { observed: 6.2, unit: 'per_minute' },
      { observed: 5, usual: 60, unit: 'per_minute' },
      '6.2 a minute, usually 60',
    ],
    [{ observed: 0, unit: 'per_minute' }, { observed: 0, usual: 4, unit: 'per_minute' }, 'none, usually 4'],
    [{ observed: 2, unit: 'per_minute' }, null, '2 a minute'],
  ] as const)('says the current rate in the unit of the usual one: %j beside %j', (current, rate, value) => {
    expect(factsOf({ rate }, { current })).toContainEqual({ label: 'Now', value });
  });

  it('lists the links of its alerts by their names', () => {
    const links = [
      { name: 'runbook' as const, url: 'https://runbooks.example/disk' },
      { name: 'silence' as const, url: 'https://grafana.example/silence' },
    ];
    expect(factsOf({ links }).slice(-2)).toEqual([
      { label: 'Runbook', value: 'https://runbooks.example/disk' },
      { label: 'Silence at source', value: 'https://grafana.example/silence' },
    ]);
  });

  it('omits unknown facts and zero counts', () => {
    const unknown = { release: null, rate: null, eventCount: 0, investigatorId: null };
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
