import { expect, it } from 'vitest';
import type { IncidentDetail } from '../../../lib/api-types.ts';
import { anEvidence } from '../testing.ts';
import { toMarkdown } from './incident-markdown.ts';

const incident: IncidentDetail = {
  id: 'inc_1',
  title: 'checkout errors up',
  titleOrigin: 'generated',
  severity: 'error',
  status: 'investigating',
  projectId: 'proj_1',
  organizationId: 'org_1',
  origin: 'risk',
  scheduleId: null,
  eventCount: 42,
  evidence: anEvidence(),
  current: null,
  previousIncidentId: null,
  investigatorId: 'usr_1',
  createdAt: '2026-11-21T12:03:00.000Z',
  updatedAt: '2026-11-21T12:04:00.000Z',
  resolvedAt: null,
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
};

it('writes an incident as Markdown in which nothing that people wrote is markup', () => {
  expect(
    toMarkdown(incident, { url: 'https://tocsin.test/app/incidents/inc_1', project: 'Shop · staging' }),
  ).toBe(`### \`checkout\` errors are 7× normal: 42 in 3 min, usually about 6.

**error** · investigating · Shop · staging · 42 events · opened 2026-11-21 12:03 UTC

- 2026-11-21 12:04 UTC Ada \\[admin\\](x) added a note: It is \\*\\*the bank\\*\\*

<https://tocsin.test/app/incidents/inc_1>
`);
});
