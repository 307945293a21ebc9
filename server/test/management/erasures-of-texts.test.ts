import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Eraser } from '../../src/erasures/eraser.ts';
import { FIRST_ID } from '../../src/erasures/first-id.ts';
import { listTextsWith } from '../../src/erasures/text-queries.ts';
import { lockFrames } from '../../src/incidents/frame-queries.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { uuidOf } from '../processing/support.ts';
import { explain, type PlanNode, rowsReadOf } from '../support/plans.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const service = await startTestService({ own: true, roles: ['management'] });
const { pool } = service.database;

const uuidOfOrganization = (user: TestUser) => toUuid('org', user.organizationId) ?? '';

async function eraseAll(): Promise<void> {
  const eraser = new Eraser({ ...service.context, pool, retentionDays: 30 });
  while ((await eraser.runOnce()) === 'again');
}

/** Inserts a target, and deliveries to it with a text. */
async function deliver(user: TestUser, projectIds: (string | null)[], text: string): Promise<void> {
  const target = randomUUID();
  await pool.query(
    `INSERT INTO notification_targets (id, organization_id, kind, name, config, created_at, updated_at)
      VALUES ($1, $2, 'webhook', 'Hook', '{}', now(), now())`,
    [target, uuidOfOrganization(user)],
  );
  await pool.query(
    `INSERT INTO deliveries (id, organization_id, project_id, target_id, change_id, subject_kind, subject_id, change, severity,
        state, due_at, created_at, last_body, last_reason)
      SELECT gen_random_uuid(), $1, project_id, $2, gen_random_uuid(), 'incident', gen_random_uuid(), 'opened', 'error',
        'delivered', now(), now(), $4, $4 FROM unnest($3::uuid[]) AS project_id`,
    [uuidOfOrganization(user), target, projectIds, text],
  );
}

describe('the erasure of a value in texts', () => {
  it('leaves it in no row of the organization, those of no project and links included', async () => {
    const owner = await service.signUp();
    const { id: projectId } = await owner.createProject();
    const value = 'usr_4711';
    const until = new Date(service.context.clock.now() + 60_000).toISOString();
    const silence = { until, correlation: `user_id=${value}`, reason: `For ${value}` };
    expect((await owner.api.post('/silences', silence)).status).toBe(201);
    await deliver(owner, [null, uuidOf(projectId)], `No ${value}`);
    const incidentId = toUuid('inc', await owner.openIncident(projectId));
    const links = JSON.stringify([{ name: 'runbook', url: `https://runbooks.example/?user=${value}` }]);
    await pool.query('UPDATE incidents SET links = $2 WHERE id = $1', [incidentId, links]);

    expect((await owner.api.post('/erasures', { projectId, key: 'user_id', value })).status).toBe(201);
    await eraseAll();

    const { rows } = await pool.query<{ name: string; text: string }>(
      `SELECT 'silences' AS name, to_jsonb(s)::text AS text FROM silences s WHERE organization_id = $1
        UNION ALL SELECT 'deliveries', to_jsonb(d)::text FROM deliveries d WHERE organization_id = $1
        UNION ALL SELECT 'incidents', to_jsonb(i)::text FROM incidents i WHERE organization_id = $1
        UNION ALL SELECT 'frames', to_jsonb(f)::text FROM incident_frames f WHERE organization_id = $1
        UNION ALL SELECT 'erasures', to_jsonb(e)::text FROM erasures e WHERE organization_id = $1`,
      [uuidOfOrganization(owner)],
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['deliveries', 'frames', 'erasures']),
    );
    expect(rows.filter(({ text }) => text.includes(value))).toEqual([]);
    const erased = rows.filter(({ text }) => text.includes('[erased]')).map(({ name }) => name);
    expect(erased).toEqual(expect.arrayContaining(['silences', 'deliveries', 'incidents', 'frames']));
  });

  it('leaves the frames of other incidents, which only contain the value within a number', async () => {
    const owner = await service.signUp();
    const { id: projectId } = await owner.createProject();
    await owner.openIncident(projectId, { title: 'Down for 1000' });
    await owner.openIncident(projectId, { title: 'Error 10007' });
    await owner.api.post('/erasures', { projectId, value: '1000' });
    await eraseAll();
    const { rows } = await pool.query<{ title: string }>(
      `SELECT data ->> 'title' AS title FROM incident_frames WHERE project_id = $1 ORDER BY id`,
      [uuidOf(projectId)],
    );
    expect(rows.map(({ title }) => title)).toEqual(['Error 10007', 'Down for [erased]']);
  });

  it('waits for no other writer of incidents where nothing changes', async () => {
    const owner = await service.signUp();
    const { id: projectId } = await owner.createProject();
    await owner.openIncident(projectId, { title: 'Error 47110' });
    const { body } = await owner.api.post('/erasures', { projectId, value: '4711' });
    const writer = await pool.connect();
    await writer.query('BEGIN');
    await lockFrames(writer);
    await eraseAll();
    expect((await owner.api.get(`/erasures/${body.id}`)).body.state).toBe('done');
    await writer.query('ROLLBACK');
    writer.release();
  });

  it('reads no rows of other projects', async () => {
    const owner = await service.signUp();
    const { id } = await owner.createProject();
    const others = Array.from({ length: 5_000 }, () => randomUUID());
    await deliver(owner, [...others, ...Array.from({ length: 20 }, () => uuidOf(id))], 'No usr_4711');
    await pool.query('ANALYZE deliveries');
    const plans: PlanNode[] = [];
    const scope = { organizationId: uuidOfOrganization(owner), projectId: uuidOf(id) };
    const scan = { text: 'usr_4711', afterId: FIRST_ID, limit: 10 };
    await listTextsWith(explain(pool, plans), ['deliveries', 'last_body'], scope, scan);
    expect(plans.map((plan) => rowsReadOf(plan, /deliveries/))).toEqual([20]);
  });
});
