import { describe, expect, it } from 'vitest';
import type { Evidence } from './evidence-schema.ts';
import { readEvidence } from './stored-evidence.ts';

const evidence: Evidence = {
  sentence: '`checkout` errors are up: 42 in 3 min, normally close to zero.',
  rule: 'rise',
  series: { kind: 'events', type: 'checkout', severity: 'error', source: null, fingerprint: null },
  observed: 42,
  expected: 0,
  windowSeconds: 180,
  from: '2026-11-21T12:00:00.000Z',
  to: '2026-11-21T12:03:00.000Z',
  falseAlarmsPerWeek: 0.02,
  alsoSeries: [
    {
      kind: 'events',
      type: 'mail',
      severity: 'error',
      source: 'post',
      fingerprint: null,
      rule: 'rise',
      alarmSeverity: 'error',
      observed: 20,
      expected: 2,
      peak: 30,
      windowSeconds: 60,
      from: '2026-11-21T12:01:00.000Z',
      at: '2026-11-21T12:02:00.000Z',
      exposure: null,
      message: null,
      isSuperset: false,
    },
  ],
  escalation: null,
  group: null,
  release: null,
  exposure: null,
  sampleEventIds: [],
  correlationIds: [],
};

describe('evidence in a row', () => {
  it('answers evidence without what later changes of the incident follow from', () => {
    const stored = {
      ...evidence,
      headlineAt: '2026-11-21T12:04:00.000Z',
      namedSeries: evidence.series,
      countedSources: ['post'],
      releaseComparedAt: 3,
      leadSeverity: 'critical' as const,
    };
    expect(readEvidence(stored)).toEqual(evidence);
  });

  it('marks an attached sum that holds the events of the series', () => {
    const [mail] = evidence.alsoSeries;
    if (!mail) throw new Error('One series is attached.');
    const total = { ...mail, kind: 'total', type: null, severity: null, source: null } as const;
    const { alsoSeries } = readEvidence({ ...evidence, alsoSeries: [mail, total] });
    expect(alsoSeries.map(({ isSuperset }) => isSuperset)).toEqual([false, true]);
  });
});
