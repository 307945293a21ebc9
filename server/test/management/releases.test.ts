import { describe, expect, it } from 'vitest';
import { listLatestReleases } from '../../src/groups/release-orders.ts';
import { newUuid, toId } from '../../src/platform/ids.ts';
import { storeBatches } from '../../src/processing/queries.ts';
import { deleteSurplusReleases } from '../../src/releases/retention-queries.ts';
import { aQueuedEvent, ledgerOf, processed, queueBatch, uuidOf } from '../processing/support.ts';
import { ApiClient, readAll, readPages } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const DAY_MS = 24 * 60 * 60_000;
const OPTIONS = { watchedOrganizations: [], lateMs: 5 * 60_000 };
const event = (changes: object = {}) => ({ type: 'checkout', severity: 'INFO', message: 'Paid', ...changes });

describe('the releases of a project', async () => {
  const service = await startTestService({ own: true });
  const user = await service.signUp();
  const setUp = async () => {
    const project = await user.createProject();
    return {
      ...project,
      send: async (...events: object[]) => {
        expect((await project.ingest.post('/ingest/bulk', events)).status).toBe(202);
        await processed(service);
      },
      list: async () => (await user.api.get(`/releases?project_id=${project.id}`)).body,
    };
  };

  it('counts the events and errors of each release, and when they were captured', async () => {
    const { id, send, list } = await setUp();
    const capturedAt = (hoursAgo: number) =>
      new Date(service.context.clock.now() - hoursAgo * 3_600_000).toISOString();
    const [first, last] = [capturedAt(5), capturedAt(1)];
    await send(
      event({ release: '1.0.0', capturedAt: last, severity: 'ERROR' }),
      event({ release: '1.0.0', capturedAt: first, severity: 'CRITICAL' }),
      event({ release: '1.0.0', capturedAt: capturedAt(3) }),
      event(),
      event({ release: '' }),
      event({ release: ' ' }),
    );
    await send(
      event({ release: '1.1.0', capturedAt: first }),
      event({ release: '1.0.0', capturedAt: capturedAt(2) }),
    );
    expect(await list()).toEqual([
      {
        version: '1.0.0',
        projectId: id,
        firstSeen: first,
        lastSeen: last,
        deployedAt: first,
        events: 4,
        errors: 2,
        newGroups: 1,
      },
      {
        version: '1.1.0',
        projectId: id,
        firstSeen: first,
        lastSeen: first,
        deployedAt: first,
        events: 1,
        errors: 0,
        newGroups: 0,
      },
    ]);
  });

  it('counts whether one user or several have a release', async () => {
    const { id, send } = await setUp();
    const usersOf = async () => {
      const { rows } = await service.database.pool.query<{ version: string; users: number }>(
        'SELECT version, users FROM releases WHERE project_id = $1 ORDER BY version',
        [uuidOf(id)],
      );
      return rows.map(({ version, users }) => `${version} ${users}`);
    };
    const by = (release: string, correlation: object = {}) => event({ release, correlation });
    await send(by('a'), by('b', { user_id: 'u1' }), by('b', { user_id: 'u1' }), by('c', { customer_id: 7 }));
    expect(await usersOf()).toEqual(['a 0', 'b 1', 'c 1']);
    await send(by('a', { user_id: 'u1' }), by('b', { user_id: 'u1' }), by('c', { user_id: 'u2' }));
    expect(await usersOf()).toEqual(['a 1', 'b 1', 'c 2']);
    await send(by('a', { user_id: 'u1' }), by('a', { user_id: 'u2' }), by('c'));
    expect(await usersOf()).toEqual(['a 2', 'b 1', 'c 2']);
  });

  it('filters events, histogram and frequent values by the release', async () => {
    const { id, send } = await setUp();
    await send(event({ release: '1.0.0' }), event({ release: '1.0.1', source: 'shop' }), event());
    const query = `project_id=${id}&release=1.0.1`;
    expect((await user.api.get(`/events?${query}`)).body).toEqual([
      expect.objectContaining({ release: '1.0.1', source: 'shop' }),
    ]);
    const buckets = (await user.api.get(`/events/histogram?${query}`)).body as { info: number }[];
    expect(buckets.reduce((sum, { info }) => sum + info, 0)).toBe(1);
    expect((await user.api.get(`/events/top?${query}&by=source`)).body).toMatchObject([
      { value: 'shop', count: 1 },
    ]);
    expect((await user.api.get(`/events?project_id=${id}&release=1.0`)).body).toEqual([]);
    expectProblem(await user.api.get(`/events?release=${'x'.repeat(1_025)}`), 'validation_failed');
  });

  it('sorts releases by when they were seen last or first, and by errors, in pages of any size', async () => {
    const { id, send } = await setUp();
    const capturedAt = (hoursAgo: number) =>
      new Date(service.context.clock.now() - hoursAgo * 3_600_000).toISOString();
    await send(
      event({ release: 'a', capturedAt: capturedAt(9), severity: 'ERROR' }),
      event({ release: 'a', capturedAt: capturedAt(1), severity: 'ERROR' }),
      event({ release: 'b', capturedAt: capturedAt(2) }),
      event({ release: 'c', capturedAt: capturedAt(8), severity: 'ERROR' }),
    );
    await user.api.post(`/projects/${id}/deploys`, {
      release: 'd',
      environment: 'production',
      at: capturedAt(3),
    });
    const inPages = async (sort: string, limit: number) => {
      const releases = await readAll(user.api, `/releases?project_id=${id}&limit=${limit}${sort}`);
      return releases.map(({ version }) => version).join('');
    };
    for (const limit of [1, 3, 50]) {
      expect(await inPages('', limit)).toBe('abdc');
      expect(await inPages('&sort=last_seen', limit)).toBe('abdc');
      expect(await inPages('&sort=first_seen', limit)).toBe('bdca');
      expect((await inPages('&sort=errors', limit)).slice(0, 2)).toBe('ac');
    }
    expectProblem(await user.api.get(`/releases?project_id=${id}&sort=events`), 'validation_failed');
  });

  it('keeps 10,000 releases of a project: the last seen, and those that resolved groups refer to', async () => {
    const { id, send } = await setUp();
    const other = await setUp();
    await send(event({ release: 'old-1', severity: 'ERROR' }));
    await other.send(event({ release: 'alone' }));
    const { pool } = service.database;
    await pool.query(
      `UPDATE groups SET state = 'resolved', resolved_release = 'old-2' WHERE project_id = $1`,
      [uuidOf(id)],
    );
    await pool.query(
      `INSERT INTO releases (project_id, version, first_seen, last_seen)
        SELECT $1, CASE WHEN n <= 3 THEN 'old-' || n ELSE 'new-' || n END, at, at
        FROM generate_series(2, 10003) AS n CROSS JOIN LATERAL (
          SELECT now() + n * interval '1 second' - CASE WHEN n <= 3 THEN interval '9 days' ELSE '0' END AS at
        ) AS seen`,
      [uuidOf(id)],
    );
    await pool.query(
      `UPDATE releases SET last_seen = now() - interval '8 days' WHERE version = 'old-1' AND project_id = $1`,
      [uuidOf(id)],
    );
    expect(await deleteSurplusReleases(pool, 5_000)).toBe(2);
    const { rows } = await pool.query(
      `SELECT count(*) AS count, array_agg(version) FILTER (WHERE version LIKE 'old%') AS old FROM releases WHERE project_id = $1`,
      [uuidOf(id)],
    );
    expect(rows).toEqual([{ count: 10_001, old: ['old-2'] }]);
    expect(await other.list()).toHaveLength(1);
    expect(await deleteSurplusReleases(pool, 5_000)).toBe(0);
  });

  it('lists releases in pages, those seen last first, and none of another organization', async () => {
    const { id, send, list } = await setUp();
    for (const release of ['1', '2', '3']) await send(event({ release }));
    const releases = await readAll(user.api, `/releases?project_id=${id}&limit=2`);
    expect(releases.map(({ version }) => version)).toEqual(['3', '2', '1']);
    expect(await list()).toHaveLength(3);
    const stranger = await service.signUp();
    expect((await stranger.api.get(`/releases?project_id=${id}`)).body).toEqual([]);
    expect((await stranger.api.get('/releases')).body).toEqual([]);
    expect((await user.api.get('/releases?project_id=none')).body).toEqual([]);
    expectProblem(await user.api.get('/releases?cursor=none'), 'validation_failed');
    expect((await user.api.delete(`/projects/${id}`)).status).toBe(204);
    expect(await list()).toEqual([]);
  });

  it('lists the releases deployed, or first seen without a deploy, within a range', async () => {
    const { id, ingest, send } = await setUp();
    const [early, middle, late] = [50, 30, 10].map((minutes) =>
      new Date(service.context.clock.now() - minutes * 60_000).toISOString(),
    );
    await send(
      event({ release: 'seen-early', capturedAt: early }),
      event({ release: 'seen-late', capturedAt: late }),
    );
    expect((await ingest.post('/ingest/deploys', { release: 'deployed', at: middle })).status).toBe(202);
    await processed(service);
    const within = async (range: string) =>
      (await user.api.get(`/releases?project_id=${id}&${range}`)).body.map(
        ({ version }: { version: string }) => version,
      );
    expect(await within(`from=${early}`)).toEqual(['seen-late', 'deployed']);
    expect(await within(`from=${early}&to=${late}`)).toEqual(['deployed']);
    expect(await within(`to=${middle}`)).toEqual(['seen-early']);
  });

  it('lists a release by its first event, too, unless a deploy to a watched environment began it', async () => {
    const { id, send } = await setUp();
    const hoursAgo = (hours: number) =>
      new Date(service.context.clock.now() - hours * 3_600_000).toISOString();
    const deploy = (release: string, environment: string) =>
      user.api.post(`/projects/${id}/deploys`, { release, environment, at: hoursAgo(72) });
    await deploy('1', 'staging');
    await deploy('2', 'production');
    await deploy('3', 'staging');
    await send(event({ release: '1' }), event({ release: '2' }));
    const listed = (await user.api.get(`/releases?project_id=${id}&from=${hoursAgo(24)}`)).body;
    expect(listed).toMatchObject([{ version: '1' }]);
  });

  it('counts each event once with two workers that store events of the same releases', async () => {
    const { id, list } = await setUp();
    const { pool } = service.database;
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM projects WHERE id = $1', [uuidOf(id)]);
    expect(rows).toHaveLength(1);
    const versions = ['c', 'a', 'd', 'b'];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        queueBatch(
          pool,
          id,
          versions.map((_version, place) =>
            aQueuedEvent(id, { release: versions[(index + place) % 4] ?? null }),
          ),
        ),
      ),
    );
    const storeAll = async () => {
      while ((await storeBatches(pool, OPTIONS, { fromId: 0, maxBatches: 1, maxBytes: 1 })).batches > 0);
    };
    await Promise.all([storeAll(), storeAll(), storeAll()]);
    await processed(service);
    const releases = (await list()) as { version: string; events: number }[];
    expect(releases.map(({ version, events }) => `${version} ${events}`).toSorted()).toEqual([
      'a 20',
      'b 20',
      'c 20',
      'd 20',
    ]);
  });

  it('removes releases and deploys with their events', async () => {
    const { id, list } = await setUp();
    const { pool } = service.database;
    const old = new Date(service.context.clock.now() - 400 * DAY_MS);
    const uuid = uuidOf(id);
    await pool.query(
      `INSERT INTO releases (project_id, version, first_seen, last_seen, deployed_at) VALUES
        ($1, 'old', $2, $2, NULL), ($1, 'deployed', NULL, NULL, $2), ($1, 'kept', $2, now(), $2)`,
      [uuid, old],
    );
    await pool.query(
      `INSERT INTO deploys (id, project_id, release, environment, deployed_at, created_at)
        VALUES ($1, $2, 'old', 'production', $3, $3)`,
      [newUuid(old.getTime()), uuid, old],
    );
    await service.maintain();
    expect(await list()).toEqual([expect.objectContaining({ version: 'kept' })]);
    expect((await user.api.get(`/projects/${id}/deploys`)).body).toEqual([]);
  });
});

describe('the deploys of a project', async () => {
  const service = await startTestService({ own: true });
  const user = await service.signUp();

  it('records a deploy of an application through the queue, and a repeat as the same deploy', async () => {
    const { id, ingest } = await user.createProject();
    const at = new Date(service.context.clock.now() - 60_000).toISOString();
    const first = await ingest.post('/ingest/deploys', { release: '1.0.0', environment: 'prod', at });
    expect(first).toMatchObject({ status: 202, body: { status: 'queued' } });
    const repeat = await ingest.post('/ingest/deploys', { release: ' 1.0.0', environment: 'production' });
    expect(repeat.body).toEqual(first.body);
    await ingest.post('/ingest/deploys', { release: '1.0.0', environment: 'staging' });
    await ingest.post('/ingest/events', event({ release: '1.0.0' }));
    await processed(service);
    const deploys = (await user.api.get(`/projects/${id}/deploys`)).body;
    expect(deploys).toEqual([
      expect.objectContaining({ release: '1.0.0', environment: 'staging' }),
      {
        id: first.body.jobId.replace('job_', 'dpl_'),
        projectId: id,
        release: '1.0.0',
        environment: 'production',
        deployedAt: at,
        userId: null,
        createdAt: expect.any(String),
        isWatched: true,
      },
    ]);
    expect((await ingest.get(`/ingest/jobs/${first.body.jobId}`)).body).toEqual({
      jobId: first.body.jobId,
      status: 'processed',
      eventId: null,
      reason: null,
    });
    expect((await user.api.get(`/releases?project_id=${id}`)).body).toMatchObject([
      { version: '1.0.0', deployedAt: at, events: 1, errors: 0 },
    ]);
    // A deploy counts in the ledger, and is no event.
    expect(await ledgerOf(user, id)).toMatchObject({ accepted: 4, stored: 3, duplicate: 1 });
    expect((await user.api.get(`/events?project_id=${id}`)).body).toHaveLength(1);
    const counted = await service.database.pool.query('SELECT FROM event_counts WHERE project_id = $1', [
      uuidOf(id),
    ]);
    expect(counted.rowCount).toBe(1);
  });

  it('lists a release that only has a deploy', async () => {
    const { id, ingest } = await user.createProject();
    await ingest.post('/ingest/deploys', { release: '2.0.0' });
    const [release] = await waitFor('the release', async () => {
      const { body } = await user.api.get(`/releases?project_id=${id}`);
      return body.length > 0 && body;
    });
    expect(release).toMatchObject({ version: '2.0.0', firstSeen: null, lastSeen: null, events: 0 });
    expect(release.deployedAt).toEqual(expect.any(String));
  });

  it('records a deploy of a person with an audit entry, and answers a repeat with the first', async () => {
    const { id } = await user.createProject();
    const body = { release: '1.2.0', environment: 'production', at: '2026-01-01' };
    expectProblem(await user.api.post(`/projects/${id}/deploys`, body), 'validation_failed');
    const at = new Date(service.context.clock.now() - DAY_MS).toISOString();
    const first = await user.api.post(`/projects/${id}/deploys`, { ...body, at });
    expect(first).toMatchObject({ status: 201, body: { deployedAt: at, userId: user.id, projectId: id } });
    const repeat = await user.api.post(`/projects/${id}/deploys`, { ...body, at: undefined });
    expect(repeat).toMatchObject({ status: 200, body: first.body });
    const audit = (await user.api.get('/organizations/audit')).body as { action: string; targetId: string }[];
    const entries = audit.filter(({ action }) => action === 'deploy.recorded');
    expect(entries).toMatchObject([{ targetId: first.body.id, after: { release: '1.2.0', projectId: id } }]);
    expect((await user.api.get(`/releases?project_id=${id}`)).body).toMatchObject([{ deployedAt: at }]);
  });

  it('takes a deploy without an environment as one to the environment of the project', async () => {
    const { body: project } = await user.api.post('/projects', { name: 'Shop', environment: 'staging' });
    const ingest = new ApiClient(service.ingestionUrl, { 'x-api-key': project.apiKey });
    await ingest.post('/ingest/deploys', { release: '1' });
    await processed(service);
    await user.api.post(`/projects/${project.id}/deploys`, { release: '2' });
    const deploys = (await user.api.get(`/projects/${project.id}/deploys?environment=STG`)).body;
    expect(deploys).toMatchObject([{ release: '2' }, { release: '1' }]);
    expect((await user.api.get(`/releases?project_id=${project.id}`)).body).toHaveLength(2);
  });

  it('says of each deploy if its environment is watched, and takes no release for the latest by another', async () => {
    const { id, ingest } = await user.createProject();
    await user.api.post(`/projects/${id}/deploys`, { release: '1', environment: 'stage' });
    await ingest.post('/ingest/deploys', { release: '2', environment: 'dev' });
    await ingest.post('/ingest/deploys', { release: '3', environment: 'eu-west' });
    await processed(service);
    const watched = async () =>
      (await user.api.get(`/projects/${id}/deploys`)).body
        .map(({ release, isWatched }: { release: string; isWatched: boolean }) => [release, isWatched])
        .toSorted();
    expect(await watched()).toEqual([
      ['1', false],
      ['2', false],
      ['3', true],
    ]);
    const { pool } = service.database;
    expect(await listLatestReleases(pool, [uuidOf(id)])).toEqual(new Map([[uuidOf(id), '3']]));
    await user.api.patch(`/projects/${id}/environments/eu-west`, { isWatched: false });
    expect(await watched()).toContainEqual(['3', false]);
    expect(await listLatestReleases(pool, [uuidOf(id)])).toEqual(new Map());
    expect((await user.api.get(`/releases?project_id=${id}`)).body).toHaveLength(3);
  });

  it('records one deploy for many concurrent reports from people and applications', async () => {
    const { id, ingest } = await user.createProject();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        index % 2 === 0
          ? user.api.post(`/projects/${id}/deploys`, { release: '3.0.0' })
          : ingest.post('/ingest/deploys', { release: '3.0.0' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201, 202]));
    await processed(service);
    expect((await user.api.get(`/projects/${id}/deploys`)).body).toHaveLength(1);
    expect((await user.api.get(`/releases?project_id=${id}`)).body).toHaveLength(1);
  });

  it.each([
    ['no release', {}, '/'],
    ['an empty release', { release: '' }, '/release'],
    ['a blank release', { release: ' \t' }, '/release'],
    ['a release that is a number', { release: 7 }, '/release'],
    ['a release of 129 characters', { release: 'x'.repeat(129) }, '/release'],
    ['a blank environment', { release: '1', environment: ' ' }, '/environment'],
    ['an environment of 65 characters', { release: '1', environment: 'x'.repeat(65) }, '/environment'],
    ['a time that is none', { release: '1', at: 'yesterday' }, '/at'],
    [
      'a time 31 days ago',
      { release: '1', at: new Date(service.context.clock.now() - 31 * DAY_MS).toISOString() },
      '/at',
    ],
    [
      'a time ahead',
      { release: '1', at: new Date(service.context.clock.now() + 600_000).toISOString() },
      '/at',
    ],
  ])('refuses a deploy with %s on both ports', async (_what, body, pointer) => {
    const { id, ingest } = await user.createProject();
    for (const answer of [
      await ingest.post('/ingest/deploys', body),
      await user.api.post(`/projects/${id}/deploys`, body),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(JSON.stringify(answer.body.errors)).toContain(pointer);
    }
  });

  it('refuses a deploy without a valid key, session or project', async () => {
    const { id, ingest } = await user.createProject();
    const [key] = (await user.api.get(`/projects/${id}/api-keys`)).body;
    await user.api.delete(`/api-keys/${key.id}`);
    expectProblem(await ingest.post('/ingest/deploys', { release: '1' }), 'invalid_api_key');
    const stranger = await service.signUp();
    for (const path of [`/projects/${id}/deploys`, `/projects/${toId('proj', newUuid(1))}/deploys`]) {
      expectProblem(await stranger.api.get(path), 'not_found');
      expectProblem(await stranger.api.post(path, { release: '1' }), 'not_found');
    }
  });

  it('refuses filters of deploys that no text in the database can equal', async () => {
    const { id } = await user.createProject();
    for (const filter of ['release', 'environment'])
      expectProblem(await user.api.get(`/projects/${id}/deploys?${filter}=%00`), 'validation_failed');
  });

  it('lists deploys by time, release and environment, in pages', async () => {
    const { id } = await user.createProject();
    const at = (days: number) => new Date(service.context.clock.now() - days * DAY_MS).toISOString();
    for (const [release, environment, days] of [
      ['1', 'production', 3],
      ['2', 'staging', 2],
      ['2', 'production', 1],
    ] as const)
      await user.api.post(`/projects/${id}/deploys`, { release, environment, at: at(days) });
    const list = async (query: string) =>
      (await user.api.get(`/projects/${id}/deploys?${query}`)).body.map(
        (deploy: { release: string; environment: string }) => `${deploy.release} ${deploy.environment}`,
      );
    expect(await list('')).toEqual(['2 production', '2 staging', '1 production']);
    expect(await list('release=2&environment=staging')).toEqual(['2 staging']);
    expect(await list(`from=${at(2.5)}&to=${at(1.5)}`)).toEqual(['2 staging']);
    const [, second] = await readPages(user.api, `/projects/${id}/deploys?limit=1`);
    expect(second?.body).toMatchObject([{ environment: 'staging' }]);
  });
});
