import { describe, expect, it } from 'vitest';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.ts';
import { toId, toUuid } from '../../src/platform/ids.ts';
import { readAll } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60_000;
const clock = new StillClock();
const service = await startTestService({ roles: ['management'], clock });
const { pool } = service.database;
const organizationOf = (user: TestUser) => toUuid('org', user.organizationId);

describe('an organization', () => {
  it('allows 100 projects an organization, also under concurrent creation; a deleted one makes room', async () => {
    const user = await service.signUp();
    await pool.query(
      `INSERT INTO projects (id, organization_id, name, environment, group_prefix, created_at)
        SELECT gen_random_uuid(), $1, 'Shop', 'production', 'SHOP-' || n, now() FROM generate_series(1, 98) AS n`,
      [organizationOf(user)],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => user.api.post('/projects', { name: 'Shop' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 'limit_reached');
    const created = answers.find(({ status }) => status === 201);
    await user.api.delete(`/projects/${created?.body.id}`);
    expect((await user.api.post('/projects', { name: 'Shop' })).status).toBe(201);
    expect((await (await service.signUp()).api.post('/projects', { name: 'Shop' })).status).toBe(201);
  });

  it('allows 500 members an organization', async () => {
    const [owner, guest] = [await service.signUp(), await service.signUp()];
    await pool.query(
      `WITH added AS (
          INSERT INTO users (id, name, email, password_hash, created_at)
          SELECT gen_random_uuid(), 'Ada', gen_random_uuid()::text, '', now() FROM generate_series(1, 499)
          RETURNING id)
        INSERT INTO members (user_id, organization_id, role, created_at) SELECT id, $1, 'MEMBER', now() FROM added`,
      [organizationOf(owner)],
    );
    const add = ({ id: userId }: TestUser) =>
      owner.api.post(`/organizations/${owner.organizationId}/members`, { userId });
    expectProblem(await add(guest), 'limit_reached');
    const unmovable = await service.signUp();
    await unmovable.createProject();
    expectProblem(await add(unmovable), 'not_found');
  });

  it('creates at most 5,000 incidents by hand in 24 hours', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const create = () => user.api.post('/incidents', { title: 'Down', severity: 'error', projectId });
    const { id } = (await create()).body;
    // Ids of the same millisecond.
    await pool.query(
      `INSERT INTO incidents (id, organization_id, project_id, title, title_origin, severity, status, origin, event_count, created_at, updated_at)
        SELECT (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, organization_id, project_id, title, title_origin, severity,
          status, origin, event_count, created_at, updated_at
        FROM incidents, generate_series(1, 4999) AS n WHERE id = $1`,
      [toUuid('inc', id)],
    );
    expectProblem(await create(), 'limit_reached');
    clock.advance(DAY_MS + 1);
    expect((await create()).status).toBe(201);
  });
});

describe('a project', () => {
  it('allows 50 API keys a project, also under concurrent creation; a revoked one makes room', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject();
    const path = `/projects/${id}/api-keys`;
    await pool.query(
      `INSERT INTO api_keys (id, project_id, name, prefix, hash, created_at)
        SELECT gen_random_uuid(), $1::uuid, 'Key', 'tsn_live_', decode(md5(n || $1::text), 'hex'), now()
        FROM generate_series(1, 47) AS n`,
      [toUuid('proj', id)],
    );
    const answers = await Promise.all(Array.from({ length: 4 }, () => user.api.post(path)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expectProblem(await user.api.post(path), 'limit_reached');
    await user.api.delete(`/api-keys/${answers.find(({ status }) => status === 201)?.body.id}`);
    expect((await user.api.post(path)).status).toBe(201);
  });
});

describe('the timeline of an incident', () => {
  /** An incident whose timeline has the creation and a number of notes. */
  async function incidentWith(notes: number) {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const id = await user.openIncident(projectId);
    clock.advance(1_000);
    await pool.query(
      `INSERT INTO incident_timeline (id, incident_id, user_id, note, created_at)
        SELECT (left($3::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, 'Note ' || n, now()
        FROM generate_series(1, $4) AS n`,
      [
        toUuid('inc', id),
        toUuid('usr', user.id),
        toUuid('tle', (await user.api.post(`/incidents/${id}/notes`, { note: 'First' })).body.timeline[1].id),
        notes,
      ],
    );
    return { user, path: `/incidents/${id}` };
  }

  it('returns the newest 100 timeline entries with the incident, and all of them in pages', async () => {
    const { user, path } = await incidentWith(250);
    const { timeline } = (await user.api.get(path)).body;
    expect(timeline).toHaveLength(100);
    const entries = await readAll(user.api, `${path}/timeline?limit=70`);
    expect(entries).toHaveLength(252);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(252);
    expect(entries.slice(0, 100).toReversed()).toEqual(timeline);
    expect(entries.at(-1)).toMatchObject({ from: null, to: { status: 'open', title: 'Down' } });
    expect((await user.api.get(`${path}/timeline?limit=1000`)).body).toHaveLength(100);
    const stranger = await service.signUp();
    expectProblem(await stranger.api.get(`${path}/timeline`), 'not_found');
    expectProblem(await user.api.get(`${path}/timeline?cursor=nonsense`), 'validation_failed');
  });

  it('returns fewer timeline entries if their notes are long, but always the last one', async () => {
    const { user, path } = await incidentWith(1);
    for (let count = 0; count < 20; count++) {
      clock.advance(1);
      await user.api.post(`${path}/notes`, { note: `${count} ${'x'.repeat(9_900)}` });
    }
    const { body } = await user.api.get(path);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(80_000);
    expect(body.timeline.at(-1).note).toMatch(/^19 x/);
    const { body: newest } = await user.api.get(`${path}/timeline?limit=100`);
    expect(newest.slice(0, body.timeline.length).toReversed()).toEqual(body.timeline);
    expect(newest.length).toBeGreaterThan(body.timeline.length);
    clock.advance(1);
    const wide = await user.api.post(`${path}/notes`, { note: '🔥'.repeat(5_000) });
    expect(wide.body.timeline.at(-1).note).toHaveLength(10_000);
  });

  it('accepts 1,000 timeline entries of people, and status changes after them', async () => {
    // The timeline already has the creation and one note.
    const { user, path } = await incidentWith(997);
    expect((await user.api.post(`${path}/notes`, { note: 'The last one' })).status).toBe(201);
    expectProblem(await user.api.post(`${path}/notes`, { note: 'One more' }), 'limit_reached');
    expectProblem(await user.api.patch(path, { title: 'Up' }), 'limit_reached');
    expect((await user.api.patch(path, { title: 'Down' })).status).toBe(200);
    expect((await user.api.get(path)).body.title).toBe('Down');
    expect((await user.api.patch(path, { status: 'resolved' })).status).toBe(200);
  });
});

describe('changing an incident that does not exist', () => {
  it('changes an unknown incident without the lock that all changes of incidents share', async () => {
    const user = await service.signUp();
    const unknown = toId('inc', '0190a000-0000-7000-8000-000000000000');
    const blocker = await beginHeldTransaction(pool);
    try {
      await blocker.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.frames]);
      expectProblem(await user.api.patch(`/incidents/${unknown}`, { status: 'resolved' }), 'not_found');
      expectProblem(await user.api.post(`/incidents/${unknown}/notes`, { note: 'Hm' }), 'not_found');
      const projectId = toId('proj', '0190a000-0000-7000-8000-000000000000');
      const created = await user.api.post('/incidents', { title: 'Down', severity: 'error', projectId });
      expectProblem(created, 'not_found');
    } finally {
      await blocker.query('ROLLBACK');
      blocker.release();
    }
  });
});
