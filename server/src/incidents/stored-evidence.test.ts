import fastify from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { AttachedSeries, Evidence, RiskSeries } from './evidence-schema.ts';
import { evidenceToJson, readEvidence, type StoredEvidence } from './stored-evidence.ts';

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
const { falseAlarmsPerWeek: newName, escalation, alsoSeries, ...sameInBoth } = evidence;
const MAIL = { kind: 'events', type: 'mail', severity: 'error', source: 'post', fingerprint: null } as const;
const MAIL_NUMBERS = {
  series: MAIL,
  rule: 'rise',
  severity: 'error',
  observed: 20,
  expected: 2,
  peak: 30,
  windowSeconds: 60,
  from: '2026-11-21T12:01:00.000Z',
  at: '2026-11-21T12:02:00.000Z',
} as const;
const ofVersionBefore = (chanceAWeek: number | null): StoredEvidence => ({
  ...sameInBoth,
  chanceAWeek,
  alsoSeries: [MAIL],
  joined: [MAIL_NUMBERS],
});

const { rule, observed, expected, peak, windowSeconds, from, at } = AttachedSeries.properties;
const numbers = { rule, observed, expected, peak, windowSeconds, from, at };

/** The schema that the version before answers by. */
const {
  falseAlarmsPerWeek: newField,
  escalation: unknownField,
  alsoSeries: unlikeField,
  ...sameFields
} = Evidence.properties;
const EvidenceOfVersionBefore = Type.Object({
  ...sameFields,
  chanceAWeek: newField,
  alsoSeries: Type.Array(RiskSeries),
  joined: Type.Array(Type.Object({ ...numbers, series: RiskSeries, severity: Type.String() })),
});

async function answerOfVersionBefore(stored: unknown) {
  const app = fastify();
  app.get('/', { schema: { response: { 200: EvidenceOfVersionBefore } } }, () => stored);
  const answer = await app.inject('/');
  await app.close();
  return { status: answer.statusCode, body: answer.json<unknown>() };
}

describe('evidence in a row', () => {
  it.each([0.02, null])('reads the evidence of the previous version with a rate of %j', (rate) => {
    expect(readEvidence(ofVersionBefore(rate))).toEqual({ ...evidence, falseAlarmsPerWeek: rate });
  });

  it.each([0.02, null])('reads evidence as it was written with a rate of %j', (rate) => {
    const written = { ...evidence, falseAlarmsPerWeek: rate };
    expect(readEvidence(JSON.parse(evidenceToJson(written)) as StoredEvidence)).toEqual(written);
  });

  it.each([0.02, null])('lets the previous version answer evidence with a rate of %j', async (rate) => {
    const stored: unknown = JSON.parse(evidenceToJson({ ...evidence, falseAlarmsPerWeek: rate }));
    expect(await answerOfVersionBefore(stored)).toEqual({ status: 200, body: ofVersionBefore(rate) });
    // Without the old name it could not be validated.
    expect(await answerOfVersionBefore(evidence)).toMatchObject({ status: 500 });
  });

  it('gets the new name when this version changes what the version before has written', () => {
    expect(JSON.parse(evidenceToJson(ofVersionBefore(0.5)))).toMatchObject({
      chanceAWeek: 0.5,
      falseAlarmsPerWeek: 0.5,
    });
    expect([newName, escalation, unknownField]).toContain(0.02);
  });

  it('lacks the numbers of series that a version attached without them', () => {
    const { joined, ...older } = ofVersionBefore(0.5);
    expect(joined).toHaveLength(1);
    expect(readEvidence(older).alsoSeries).toEqual([
      {
        ...MAIL,
        rule: null,
        alarmSeverity: null,
        observed: null,
        expected: null,
        peak: null,
        windowSeconds: null,
        from: null,
        at: null,
        exposure: null,
        message: null,
        isSuperset: false,
      },
    ]);
    expect([alsoSeries, unlikeField]).toHaveLength(2);
  });
});
