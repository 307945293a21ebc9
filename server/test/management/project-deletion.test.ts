import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { purgeDeletedProjects } from '../../src/tenancy/projects/purge-deleted-projects.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

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
    const incident = { title: 'Down', severity: 'error', projectId: project.id };
    const { id: incidentId } = (await user.api.post('/incidents', incident)).body;
    const [key] = (await user.api.get(`/projects/${project.id}/api-keys`)).body;
    return { ...project, incidentId, keyId: key.id };
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
    // However few chunks a call may remove, it goes on where the one before ended.
    let calls = 1;
    while (await purgeDeletedProjects(pool, 1)) expect(calls++).toBeLessThan(50);
    expect(calls).toBeGreaterThan(3);
    expect(await countRows(project.id)).toBe(0);
    expect(await countRows(kept.id)).toBe(before);
    expect((await user.api.get('/events?limit=500')).body).toHaveLength(3);
  });

  it('waits for no long work: another organization goes on meanwhile', async () => {
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
