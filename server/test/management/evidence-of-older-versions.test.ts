import { describe, expect, it } from 'vitest';
import { newUuid, toId, toUuid } from '../../src/platform/ids.ts';
import { startTestService } from '../support/service.ts';

describe('an incident that the version before has written', async () => {
  const service = await startTestService();
  const { pool } = service.database;
  const user = await service.signUp();
  const project = await user.createProject();
  const id = newUuid(Date.parse('2026-01-05T00:00:00.000Z'));
  const evidence = {
    sentence: 'More `checkout` errors: 42 in 3 min, expected 6 (7×); by chance about once in 50 weeks.',
    rule: 'rise',
    series: { kind: 'events', type: 'checkout', severity: 'error', source: null, fingerprint: null },
    observed: 42,
    expected: 6,
    windowSeconds: 180,
    from: '2026-01-05T00:00:00.000Z',
    to: '2026-01-05T00:03:00.000Z',
    chanceAWeek: 0.02,
    alsoSeries: [],
    sampleEventIds: [],
    correlationIds: [],
  };
  await pool.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, severity, status, origin, event_count, evidence,
        created_at, updated_at)
      VALUES ($1, $2, $3, 'Rise: checkout errors', 'error', 'open', 'risk', 42, $4, now(), now())`,
    [id, toUuid('org', user.organizationId), toUuid('proj', project.id), JSON.stringify(evidence)],
  );
  const path = `/incidents/${toId('inc', id)}`;
  const { chanceAWeek, ...same } = evidence;

  it('answers an incident of the previous version with the new name of its rate, and keeps its title and sentence', async () => {
    const { status, body } = await user.api.get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: 'Rise: checkout errors', titleOrigin: 'generated' });
    expect(body.evidence).toEqual({
      ...same,
      falseAlarmsPerWeek: chanceAWeek,
      escalation: null,
      exposure: null,
      group: null,
      release: null,
    });
  });

  it('stores the rate under both names for the previous version to read', async () => {
    await user.api.post(`${path}/notes`, { note: 'Looking.' });
    const { rows } = await pool.query('SELECT evidence FROM incidents WHERE id = $1', [id]);
    expect(rows).toEqual([{ evidence: { ...evidence, falseAlarmsPerWeek: chanceAWeek, joined: [] } }]);
  });
});
