import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { lockHours } from '../../src/events/counts/roll-queries.ts';
import { ProjectPurge } from '../../src/maintenance/project-purge.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const event = (index: number) => ({
  type: 'checkout',
  severity: 'ERROR',
  message: `Event ${index}`,
  correlation: { order_id: 'ord_1' },
});

describe('the deletion of a project', async () => {
  const service = await startTestService({ roles: ['management', 'ingestion'] });
  const { pool } = service.database;
  /** Stores the queued events; they stay in the queue until then, because no worker runs. */
  const process = async () => {
    const worker = await startTestService({ roles: ['worker'], database: service.database });
    await worker.settled();
    await worker.stop();
    return worker.context.metrics;
  };
  const fill = async (user: TestUser) => {
    const project = await user.createProject();
    for (let index = 0; index < 3; index++) await project.ingest.post('/ingest/events', event(index));
    const incidentId = await user.openIncident(project.id);
    const [key] = (await user.api.get(`/projects/${project.id}/api-keys`)).body;
    return { ...project, incidentId, keyId: key.id };
  };

  const has = async (table: string, projectId: string | null) =>
    (await pool.query(`SELECT FROM ${table} WHERE project_id = $1 LIMIT 1`, [projectId])).rowCount === 1;
  const purgeAll = async (purge: ProjectPurge) => {
    while (await purge.run(0));
  };
  /** Purges during a change of another worker, which commits once the purge waits for it. */
  const purgeBeside = async (purge: ProjectPurge, change: (other: PoolClient) => Promise<unknown>) => {
    const other = await beginHeldTransaction(pool);
    try {
      await change(other);
      const purged = purgeAll(purge);
      await waitFor('the purge to wait for the other worker', async () => (await countLockWaits(pool)) > 0);
      await other.query('COMMIT');
      await purged;
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
  };

  it('leaves nothing of a deleted project readable or usable from the answer on', async () => {
    const user = await service.signUp();
    const project = await fill(user);
    await process();
    const [stored] = (await user.api.get(`/events?project_id=${project.id}`)).body;
    expect((await user.api.delete(`/projects/${project.id}`)).status).toBe(204);

    for (const path of [
      `/projects/${project.id}`,
      `/projects/${project.id}/ledger`,
      `/projects/${project.id}/api-keys`,
      `/events/${stored.id}`,
      `/incidents/${project.incidentId}`,
      `/incidents/${project.incidentId}/events`,
    ]) {
      expectProblem(await user.api.get(path), 'not_found');
    }
    for (const path of [
      '/projects',
      '/events',
      `/events?project_id=${project.id}`,
      '/events?correlation_id=ord_1',
      '/events?q=event',
      '/incidents',
      `/incidents?project_id=${project.id}`,
    ]) {
      expect((await user.api.get(path)).body, path).toEqual([]);
    }
    for (const query of ['', '?q=event', `?project_id=${project.id}`]) {
      const buckets = (await user.api.get(`/events/histogram${query}`)).body;
      expect(buckets.some(({ error }: { error: number }) => error > 0)).toBe(false);
    }
    expectProblem(await user.api.delete(`/api-keys/${project.keyId}`), 'not_found');
    expectProblem(await user.api.patch(`/incidents/${project.incidentId}`, { title: 'x' }), 'not_found');
    expectProblem(await project.ingest.post('/ingest/events', event(9)), 'invalid_api_key');
    const incident = { title: 'Late', severity: 'info', projectId: project.id };
    expectProblem(await user.api.post('/incidents', incident), 'not_found');
  });

  it('drops events that are still queued, and counts them', async () => {
    const user = await service.signUp();
    const project = await fill(user);
    const kept = await fill(user);
    await user.api.delete(`/projects/${project.id}`);
    const metrics = await process();

    const events = (await user.api.get('/events')).body;
    expect(new Set(events.map(({ projectId }: { projectId: string }) => projectId))).toEqual(
      new Set([kept.id]),
    );
    const { rows } = await pool.query('SELECT accepted, stored, dropped FROM ledgers WHERE project_id = $1', [
      toUuid('proj', project.id),
    ]);
    expect(rows).toEqual([{ accepted: 3, stored: 0, dropped: 3 }]);
    expect(await metrics.registry.metrics()).toMatch(/tocsin_events_processed_total\{result="dropped"\} 3\n/);
    expect((await user.api.get(`/projects/${kept.id}/ledger`)).body).toMatchObject({
      accepted: 3,
      stored: 3,
    });
  });

  it('purges the data in chunks in the background, and that of no other project', async () => {
    const user = await service.signUp();
    const [project, kept] = [await fill(user), await fill(user)];
    await process();
    await user.api.delete(`/projects/${project.id}`);
    const countRows = async (id: string) => {
      const { rows } = await pool.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM events WHERE project_id = $1) + (SELECT count(*) FROM event_counts WHERE project_id = $1)
          + (SELECT count(*) FROM incidents WHERE project_id = $1) + (SELECT count(*) FROM api_keys WHERE project_id = $1)
          + (SELECT count(*) FROM projects WHERE id = $1) AS count`,
        [toUuid('proj', id)],
      );
      return rows[0]?.count ?? 0;
    };
    const before = await countRows(kept.id);
    expect(await countRows(project.id)).toBeGreaterThan(3);
    // However short a call is, it continues where the previous one ended, and so does another process.
    await new ProjectPurge(pool).run(0);
    const purge = new ProjectPurge(pool);
    let calls = 2;
    while (await purge.run(0)) expect(calls++).toBeLessThan(50);
    expect(calls).toBeGreaterThan(3);
    expect(await countRows(project.id)).toBe(0);
    expect(await countRows(kept.id)).toBe(before);
    expect((await user.api.get('/events?limit=500')).body).toHaveLength(3);
  });

  const insertHour = `INSERT INTO event_hours
      (scope, organization_id, project_id, hour, severity, quarter_1, quarter_2, quarter_3, quarter_4)
    SELECT 'project', organization_id, id, date_trunc('hour', now()), 'info', 1, 0, 0, 0 FROM projects WHERE id = $1`;
  const insertGroupHour = `INSERT INTO group_recent_hours (group_id, project_id, hour, info, warn, error, critical)
    SELECT id, project_id, date_trunc('hour', now()), 0, 0, 1, 0 FROM groups WHERE project_id = $1 LIMIT 1`;

  it.each([
    ['event_hours', 'event_counts', insertHour],
    ['group_recent_hours', 'group_minutes', insertGroupHour],
  ])(
    'leaves no row of %s behind that another worker copies from %s during the purge',
    async (table, source, insert) => {
      const user = await service.signUp();
      const project = await fill(user);
      await process();
      const id = toUuid('proj', project.id);
      await user.api.delete(`/projects/${project.id}`);
      const purge = new ProjectPurge(pool);
      while (await has(source, id)) await purge.run(0);
      // The other worker has read the source before that was purged.
      await purgeBeside(purge, async (other) => {
        await lockHours(other);
        expect(await other.query(insert, [id])).toMatchObject({ rowCount: 1 });
      });
      expect(await has(table, id)).toBe(false);
    },
  );

  it('purges all rows of a deleted project with two workers at once', async () => {
    const user = await service.signUp();
    const project = await fill(user);
    await process();
    const id = toUuid('proj', project.id);
    await pool.query(
      `INSERT INTO claims (project_id, key, job_id, created_at)
        SELECT $1, number::text, gen_random_uuid(), now() FROM generate_series(1, 3000) AS number`,
      [id],
    );
    await user.api.delete(`/projects/${project.id}`);
    // Some rows of each chunk.
    await purgeBeside(new ProjectPurge(pool), (other) =>
      other.query('DELETE FROM claims WHERE project_id = $1 AND key::integer % 2 = 0', [id]),
    );
    expect(await has('claims', id)).toBe(false);
  });

  it('ends a purge after the current chunk when the process stops', async () => {
    const user = await service.signUp();
    const project = await fill(user);
    await process();
    await user.api.delete(`/projects/${project.id}`);
    const purge = new ProjectPurge(pool);
    // Longer than a test may take.
    expect(await purge.run(3_600_000, AbortSignal.abort())).toBe(true);
    while (await purge.run(0));
    const { rows } = await pool.query('SELECT FROM projects WHERE id = $1', [toUuid('proj', project.id)]);
    expect(rows).toHaveLength(0);
  });

  it('blocks no other organization during a deletion', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const [project, theirs] = [await fill(user), await fill(other)];
    const [answer] = await Promise.all([
      user.api.delete(`/projects/${project.id}`),
      theirs.ingest.post('/ingest/events', event(10)),
    ]);
    expect(answer.status).toBe(204);
    await process();
    expect((await other.api.get('/events')).body).toHaveLength(4);
  });
});
