import { expect, it } from 'vitest';
import { anIncident } from '../testing.ts';
import { toMarkdown } from './incident-markdown.ts';

const incident = anIncident({
  title: 'Card *was* declined in `check_out`',
  status: 'investigating',
  release: { version: '2.0', says: 'returned', alsoIn: ['1.9'] },
  facts: {
    users: { count: 12, isExact: true },
    newestEvent: null,
    failedPayments: null,
    eventsKeptFrom: null,
  },
  timeline: [
    {
      id: 'tle_1',
      at: '2026-11-21T12:04:00.000Z',
      by: { id: 'usr_1', name: 'Ada [admin](x)' },
      from: null,
      to: null,
      note: 'It is\n**the bank**',
    },
  ],
});
const around = {
  url: 'https://tocsin.test/app/incidents/inc_1',
  project: 'Shop · staging',
  investigator: 'Ada',
  group: undefined,
};

it('writes an incident as Markdown in which nothing that people wrote is markup', () => {
  expect(toMarkdown(incident, around)).toBe(`### Card \\*was\\* declined in \`check_out\`

**error** · Ada is on it · Shop · staging  
**14/min** at first · usually 2  
42 events · 12 users · returned in 2.0, also in 1.9 · since 2026-11-21 12:01 UTC  

- 2026-11-21 12:04 UTC Ada \\[admin\\](x) added a note: It is \\*\\*the bank\\*\\*

<https://tocsin.test/app/incidents/inc_1>
`);
});

it('writes share, events and name of the largest group beside users, release and owner', () => {
  const group = { share: 0.86, count: 36, group: { key: 'SHOP-12', title: 'Card_error' } };
  const text = toMarkdown(incident, { ...around, group });
  for (const part of [
    'Ada is on it',
    '42 events · 12 users · returned in 2.0',
    '86% · 36 events: SHOP-12 Card\\_error',
  ])
    expect(text).toContain(part);
});
