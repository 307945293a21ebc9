import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/database/database.ts';
import { Eraser } from '../../src/erasures/eraser.ts';
import { listErasableEvents, listScannedEvents } from '../../src/events/remove/erasure-queries.ts';
import { endOfWeek, weekOf } from '../../src/events/weeks.ts';
import { toUuid, uuidLowerBound } from '../../src/platform/ids.ts';
import { upsertLiveness } from '../../src/queue/liveness-queries.ts';
import {
  aQueuedEvent,
  ledgerOf,
  NO_EVENTS,
  processed,
  queueBatch,
  storeBatch,
  uuidOf,
} from '../processing/support.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { signUpPair, startTestService, type TestProject, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService({ own: true, roles: ['management', 'ingestion'] });
const { pool } = service.database;
const dependencies = { ...service.context, pool, retentionDays: 30 };

const aUser = () => `usr_${randomUUID().slice(0, 8)}`;
const event = (userId: string, changes: object = {}) => ({
  type: 'checkout',
  severity: 'ERROR',
  message: 'Card declined',
  correlation: { user_id: userId, order_id: 'ord_1' },
  ...changes,
});

/** Sends events, and stores them as a worker does. */
async function store({ ingest }: TestProject, ...events: object[]): Promise<void> {
  for (const each of events) expect((await ingest.post('/ingest/events', each)).status).toBe(202);
  await processed(service);
}

async function request(user: TestUser, body: object) {
  const answer = await user.api.post('/erasures', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Reports that the process accepts events, as it does every second. */
const report = () => upsertLiveness(pool, service.context.processId, new Date(service.context.clock.now()));

/** Takes steps as a worker does, until everything is done. */
async function eraseAll(eraser = new Eraser(dependencies)): Promise<void> {
  await waitFor('all erasures to be done', async () => {
    while ((await eraser.runOnce()) === 'again');
    await report();
    const { rowCount } = await pool.query('SELECT FROM erasures WHERE finished_at IS NULL LIMIT 1');
    return rowCount === 0;
  });
}

const idsOf = async (user: TestUser, query: string) =>
  (await user.api.get(`/events?${query}`)).body.map(({ id }: { id: string }) => id);

describe('an erasure', () => {
  it('deletes the events of a user in one project, and none of another user, project or organization', async () => {
    const [owner, stranger] = [await service.signUp('Ada'), await service.signUp('Eve')];
    const [shop, site] = [await owner.createProject(), await owner.createProject('Site')];
    const theirs = await stranger.createProject();
    const userId = aUser();
    await store(shop, event(userId), event(userId, { type: 'login' }), event(`${userId}x`));
    await store(shop, event('usr_other', { correlation: { customer_id: userId } }));
    await store(site, event(userId));
    await store(theirs, event(userId));

    const { id } = await request(owner, { projectId: shop.id, key: 'user_id', value: userId });
    await eraseAll();

    expect(await idsOf(owner, `correlation.user_id=${userId}&project_id=${shop.id}`)).toEqual([]);
    expect(await idsOf(owner, `correlation.customer_id=${userId}`)).toHaveLength(1);
    expect(await idsOf(owner, `correlation.user_id=${userId}x`)).toHaveLength(1);
    expect(await idsOf(owner, `correlation.user_id=${userId}&project_id=${site.id}`)).toHaveLength(1);
    expect(await idsOf(stranger, `correlation.user_id=${userId}`)).toHaveLength(1);
    expect(await ledgerOf(owner, shop.id)).toEqual({ ...NO_EVENTS, accepted: 4, stored: 2, erased: 2 });
    expect(await ledgerOf(owner, site.id)).toEqual({ ...NO_EVENTS, accepted: 1, stored: 1 });
    expect((await owner.api.get(`/erasures/${id}`)).body).toMatchObject({
      state: 'done',
      events: 2,
      deadLetters: 0,
    });
    expectProblem(await stranger.api.get(`/erasures/${id}`), 'not_found');
    expect((await stranger.api.get('/erasures')).body).toEqual([]);
  });

  it('deletes a value under any key in all projects, numbers included', async () => {
    const owner = await service.signUp();
    const [shop, site] = [await owner.createProject(), await owner.createProject('Site')];
    const number = 4_711_000 + Math.floor(performance.now());
    await store(shop, event('a', { correlation: { customer: number } }), event('b'));
    await store(site, event('a', { correlation: { user_id: String(number) } }));
    await request(owner, { value: String(number) });
    await eraseAll();
    expect(await idsOf(owner, `correlation=${number}`)).toEqual([]);
    expect((await owner.api.get('/organizations/ledger')).body).toMatchObject({ stored: 1, erased: 2 });
  });

  it('names what it cannot reach, and keeps a proof in place of the value', async () => {
    const owner = await service.signUp();
    const { id: projectId } = await owner.createProject();
    const userId = aUser();
    const requested = await request(owner, { projectId, key: 'user_id', value: userId });
    expect(requested).toMatchObject({ state: 'waiting', value: userId, unreached: [], finishedAt: null });
    await eraseAll();
    const done = (await owner.api.get(`/erasures/${requested.id}`)).body;
    const valueHash = createHash('sha256').update(`${requested.id}:${userId}`).digest('hex');
    expect(done).toMatchObject({ state: 'done', value: null, valueHash, createdBy: { id: owner.id } });
    const places = done.unreached.map(({ what }: { what: string }) => what);
    expect(places).toEqual([
      'backups',
      'messages',
      'exports',
      'audit_log',
      'other_texts',
      'names',
      'cut_texts',
      'idempotency_keys',
      'transient',
    ]);
    expect(done.unreached[0].until).toBeNull();
    const lifeOf = (what: string) =>
      Date.parse(done.unreached.find((place: { what: string }) => place.what === what).until) -
      Date.parse(done.finishedAt);
    expect(['other_texts', 'idempotency_keys', 'transient'].map(lifeOf)).toEqual(
      [30, 30, 1].map((days) => days * 86_400_000),
    );
    const { body: audit } = await owner.api.get('/organizations/audit');
    expect(audit[0]).toMatchObject({ action: 'erasure.requested', targetId: requested.id });
    expect(audit[0].after).toEqual({ projectId, key: 'user_id', valueHash });
    const { rows } = await pool.query('SELECT * FROM erasures WHERE id = $1', [toUuid('ers', requested.id)]);
    expect(JSON.stringify([audit, done, rows])).not.toContain(userId);
  });

  it('replaces the value where it is a word in groups, incidents, notes and silences, and forgets the user', async () => {
    const owner = await service.signUp();
    const project = await owner.createProject();
    const userId = aUser();
    const message = `No session of ${userId} for ${userId}-2, but ${userId}x`;
    await store(project, event(userId, { message }), event('usr_b', { message }));
    const [group] = (await owner.api.get(`/groups?project_id=${project.id}`)).body;
    expect(group).toMatchObject({ title: message, users: 2 });
    const incidentId = await owner.openIncident(project.id, { title: `Down for ${userId}` });
    await owner.api.post(`/incidents/${incidentId}/notes`, { note: `Ask ${userId}.` });
    const silence = { until: new Date(service.context.clock.now() + 3_600_000).toISOString() };
    await owner.api.post('/silences', {
      ...silence,
      correlation: `user_id=${userId}`,
      reason: `For ${userId}`,
    });

    await request(owner, { key: 'user_id', value: userId });
    await eraseAll();

    const after = (await owner.api.get(`/groups/${group.id}`)).body;
    expect(after.title).toBe(`No session of [erased] for [erased]-2, but ${userId}x`);
    expect(after).toMatchObject({ count: 2, users: 1 });
    expect((await owner.api.get(`/groups?q=${userId}&project_id=${project.id}`)).body).toHaveLength(1);
    const incident = (await owner.api.get(`/incidents/${incidentId}`)).body;
    expect(incident.title).toBe('Down for [erased]');
    const { body: timeline } = await owner.api.get(`/incidents/${incidentId}/timeline`);
    expect(timeline.map(({ note }: { note: string | null }) => note)).toContain('Ask [erased].');
    const { body: silences } = await owner.api.get('/silences');
    expect(silences[0]).toMatchObject({ correlation: 'user_id=[erased]' });
    const { rows: frames } = await pool.query('SELECT data FROM incident_frames WHERE project_id = $1', [
      uuidOf(project.id),
    ]);
    expect(JSON.stringify([incident, timeline, silences[0].correlation, frames])).not.toContain(userId);
    expect(frames.length).toBeGreaterThan(0);
  });

  it('leaves texts alone for a value that is too short, and says so', async () => {
    const owner = await service.signUp();
    const project = await owner.createProject();
    await store(project, event('42', { message: 'Try 42 failed' }));
    const { id } = await request(owner, { projectId: project.id, key: 'user_id', value: '42' });
    await eraseAll();
    const [group] = (await owner.api.get(`/groups?project_id=${project.id}`)).body;
    expect(group).toMatchObject({ title: 'Try 42 failed', users: 0 });
    const { body } = await owner.api.get(`/erasures/${id}`);
    expect(body).toMatchObject({ events: 1 });
    expect(body.unreached).toContainEqual({ what: 'short_value', until: null });
  });

  it('deletes dead letters that have the value, or contain it and cannot be read', async () => {
    const owner = await service.signUp();
    const { id: projectId } = await owner.createProject();
    const userId = aUser();
    const bad = (correlation: object) => ({
      ...aQueuedEvent(projectId, { message: userId }),
      correlation,
      severity: 'none',
    });
    await storeBatch(service, projectId, [
      bad({ user_id: userId }),
      bad({ user_id: 'usr_b' }),
      bad({ order_id: userId }),
    ]);
    await storeBatch(service, projectId, `[{"correlation": {"user_id": "${userId}"}`);
    expect(await ledgerOf(owner, projectId)).toEqual({ ...NO_EVENTS, accepted: 4, dead: 4 });
    const subject = { projectId, key: 'user_id', value: userId };
    expect((await owner.api.post('/erasures/preview', subject)).body).toMatchObject({
      events: 0,
      deadLetters: 2,
    });
    await request(owner, subject);
    await eraseAll();
    expect(await ledgerOf(owner, projectId)).toEqual({ ...NO_EVENTS, accepted: 4, dead: 2, erased: 2 });
    const noticed = async () => (await owner.api.get('/auth/notices')).body.length;
    expect(await noticed()).toBe(1);
    for (const [key, value] of [
      ['user_id', 'usr_b'],
      ['order_id', userId],
    ])
      await request(owner, { projectId, key, value });
    await eraseAll();
    expect(await ledgerOf(owner, projectId)).toEqual({ ...NO_EVENTS, accepted: 4, erased: 4 });
    expect(await noticed()).toBe(0);
  });

  it('refuses to replay dead letters until it is done', async () => {
    const owner = await service.signUp();
    const { id: projectId } = await owner.createProject();
    await storeBatch(service, projectId, [{ ...aQueuedEvent(projectId), severity: 'none' }]);
    const path = `/projects/${projectId}/dead-letters`;
    const [letter] = (await owner.api.get(path)).body;
    await request(owner, { value: aUser() });
    for (const each of [`${path}/replay`, `${path}/${letter.id}/replay`])
      expectProblem(await owner.api.post(each), 'erasure_unfinished');
    await eraseAll();
    expect((await owner.api.post(`${path}/replay`)).body).toMatchObject({ count: 1 });
  });

  it('counts in a preview what it would delete, and changes nothing', async () => {
    const owner = await service.signUp();
    const project = await owner.createProject();
    const userId = aUser();
    await store(project, event(userId), event('usr_b'));
    const subject = { projectId: project.id, key: 'user_id', value: userId };
    const { status, body } = await owner.api.post('/erasures/preview', subject);
    expect(status).toBe(200);
    expect(body).toEqual({ events: 1, isExact: true, deadLetters: 0 });
    expect((await owner.api.post('/erasures/preview', { value: 'usr_unknown' })).body.events).toBe(0);
    expect(await idsOf(owner, `correlation.user_id=${userId}`)).toHaveLength(1);
    expect((await owner.api.get('/erasures')).body).toEqual([]);
  });

  it('refuses an erasure of a MEMBER, and of a token without the scope admin', async () => {
    const { owner, member } = await signUpPair(service);
    const { id: projectId } = await owner.createProject();
    const body = { projectId, value: 'usr_a' };
    for (const path of ['/erasures', '/erasures/preview'])
      expectProblem(await member.api.post(path, body), 'forbidden');
    expectProblem(await member.api.get('/erasures'), 'forbidden');
    expectProblem(await (await owner.createToken('write')).post('/erasures', body), 'insufficient_scope');
    expect((await (await owner.createToken('admin')).post('/erasures', body)).status).toBe(201);
    expectProblem(await (await member.createToken('admin')).post('/erasures', body), 'forbidden');
    const stranger = await service.signUp();
    for (const path of ['/erasures', '/erasures/preview'])
      expectProblem(await stranger.api.post(path, body), 'not_found');
    expectInvalid(await owner.api.post('/erasures', { projectId, value: '' }), '/value');
    expect((await owner.api.post('/erasures', { projectId, value: 'a\0b' })).status).toBe(400);
    await eraseAll();
  });

  it('refuses an erasure while a hundred of the organization are not done', async () => {
    const owner = await service.signUp();
    await pool.query(
      `INSERT INTO erasures (id, organization_id, value, value_hash, created_by, created_at)
        SELECT gen_random_uuid(), $1, 'usr_a', sha256('a'), $2, now() FROM generate_series(1, 100)`,
      [toUuid('org', owner.organizationId), toUuid('usr', owner.id)],
    );
    expectProblem(await owner.api.post('/erasures', { value: 'usr_a' }), 'limit_reached');
    await pool.query('DELETE FROM erasures WHERE finished_at IS NULL');
  });
});

describe('an erasure of events that are not stored yet', () => {
  it('erases what waits in the queue before the request, the halves of a refused batch included', async () => {
    const owner = await service.signUp();
    const { id: projectId, ingest } = await owner.createProject();
    const userId = aUser();
    const queued = (changes: object = {}) =>
      aQueuedEvent(projectId, { correlation: { user_id: userId }, ...changes });
    await queueBatch(pool, projectId, [queued(), { ...queued(), severity: 'none' }, queued(), queued()]);
    const { id } = await request(owner, { projectId, key: 'user_id', value: userId });
    const eraser = new Eraser(dependencies);
    expect(await eraser.runOnce()).toBe('idle');
    expect((await owner.api.get(`/erasures/${id}`)).body).toMatchObject({ state: 'waiting', events: 0 });
    await ingest.post('/ingest/events', event(userId));
    await processed(service);
    await eraseAll(eraser);
    expect((await owner.api.get(`/erasures/${id}`)).body).toMatchObject({ state: 'done', deadLetters: 1 });
    const { erased, stored, dead } = await ledgerOf(owner, projectId);
    // The later one may have been stored before the search.
    expect({ dead, sum: erased + stored }).toEqual({ dead: 0, sum: 5 });
    expect(erased).toBeGreaterThanOrEqual(4);
  });

  it('waits for events on the disk of a process that reports, and names a process that is gone', async () => {
    const owner = await service.signUp();
    const { id: projectId } = await owner.createProject();
    const now = new Date(service.context.clock.now());
    const [disk, gone] = [randomUUID(), randomUUID()];
    const { id } = await request(owner, { projectId, value: aUser() });
    await upsertLiveness(pool, disk, now, { onDisk: { [uuidOf(projectId)]: 3 } });
    await upsertLiveness(pool, gone, now);
    const setBack = (processId: string, minutes: number) =>
      pool.query(
        `UPDATE intake_presence SET told_at = clock_timestamp() - make_interval(mins => $2) WHERE process_id = $1`,
        [processId, minutes],
      );
    await setBack(gone, 9);
    const eraser = new Eraser(dependencies);
    const takeSteps = async () => {
      while ((await eraser.runOnce()) === 'again');
      return (await owner.api.get(`/erasures/${id}`)).body;
    };
    await takeSteps();
    await setBack(gone, 11);
    await upsertLiveness(pool, disk, now, { onDisk: { [uuidOf(projectId)]: 1 } });
    expect(await takeSteps()).toMatchObject({ state: 'waiting' });
    await upsertLiveness(pool, disk, now);
    await setBack(gone, 9);
    expect(await takeSteps()).toMatchObject({ state: 'waiting' });
    await setBack(gone, 11);
    await eraseAll(eraser);
    const { body } = await owner.api.get(`/erasures/${id}`);
    expect(body.unreached).toContainEqual({ what: 'disks', until: null });
    await pool.query('DELETE FROM intake_presence WHERE process_id = ANY ($1)', [[disk, gone]]);
  });
});

describe('an interrupted erasure', () => {
  it('continues an erasure with another worker after any step, and counts each event once', async () => {
    const owner = await service.signUp();
    const project = await owner.createProject();
    const userId = aUser();
    const count = 2_500;
    await pool.query(
      `WITH stored AS (
          INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id,
            fingerprint, correlation, payload)
          SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
            $1, $2, now(), 'info', 'a', 'Event', $3, 'f', jsonb_build_object('user_id', $3::text), '{}'
          FROM generate_series(1, $4::int) AS n RETURNING id
        )
        INSERT INTO ledgers (project_id, accepted, stored) SELECT $2, count(*), count(*) FROM stored`,
      [toUuid('org', owner.organizationId), uuidOf(project.id), userId, count],
    );
    const { id } = await request(owner, { projectId: project.id, key: 'user_id', value: userId });
    let isDone = false;
    for (let steps = 1; !isDone && steps < 50; steps++) {
      const eraser = new Eraser(dependencies);
      for (let step = 0; step < steps; step++) if ((await eraser.runOnce()) === 'idle') await report();
      const { erased, stored } = await ledgerOf(owner, project.id);
      const { body } = await owner.api.get(`/erasures/${id}`);
      expect([erased + stored, body.events]).toEqual([count, erased]);
      isDone = body.state === 'done';
    }
    expect(await ledgerOf(owner, project.id)).toEqual({ ...NO_EVENTS, accepted: count, erased: count });
    expect(isDone).toBe(true);
  });

  it('continues before the last place after a restart, where a search takes too long and all events are scanned', async () => {
    const owner = await service.signUp();
    const project = await owner.createProject();
    const [userId, count, every] = [aUser(), 12_000, 10];
    await pool.query(
      `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id,
          fingerprint, correlation, payload)
        SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
          $1, $2, now(), 'info', 'a', 'Event', $3, 'f', jsonb_build_object('user_id', CASE WHEN n % $5::int = 0 THEN $3::text END), '{}'
        FROM generate_series(1, $4::int) AS n`,
      [toUuid('org', owner.organizationId), uuidOf(project.id), userId, count, every],
    );
    await pool.query('INSERT INTO ledgers (project_id, accepted, stored) VALUES ($1, $2, $2)', [
      uuidOf(project.id),
      count,
    ]);
    const { id } = await request(owner, { projectId: project.id, key: 'user_id', value: userId });
    const placeOf = async () => {
      const { rows } = await pool.query<{ place: string | null }>(
        'SELECT erased_from AS place FROM erasures WHERE id = $1',
        [toUuid('ers', id)],
      );
      return rows[0]?.place ?? null;
    };
    const places: string[] = [];
    // A new worker takes each step.
    for (let step = 0; step < 60; step++) {
      if ((await new Eraser({ ...dependencies, searchMs: 1 }).runOnce()) === 'idle') await report();
      const place = await placeOf();
      if (place !== null) places.push(place);
    }
    // Places of weeks are lower bounds; that of a page is an event.
    expect(places.some((place) => !place.endsWith('-0000-0000-000000000000'))).toBe(true);
    expect(places).toEqual(places.toSorted().toReversed());
    const erased = count / every;
    expect(await ledgerOf(owner, project.id)).toMatchObject({ erased });
    await eraseAll();
    expect(await ledgerOf(owner, project.id)).toEqual({
      ...NO_EVENTS,
      accepted: count,
      stored: count - erased,
      erased,
    });
  });

  it('finds no event of a project that was deleted meanwhile, which it would find again and again', async () => {
    const owner = await service.signUp();
    const [shop, site] = [await owner.createProject(), await owner.createProject('Site')];
    const userId = aUser();
    await store(shop, event(userId));
    await store(site, event(userId));
    const subject = {
      organizationId: toUuid('org', owner.organizationId) ?? '',
      projectIds: [uuidOf(shop.id), uuidOf(site.id)],
      key: null,
      value: userId,
    };
    const nowMs = service.context.clock.now();
    const range = { fromId: uuidLowerBound(nowMs - 600_000), beforeId: uuidLowerBound(nowMs + 600_000) };
    expect(await listErasableEvents(pool, subject, range, 10)).toHaveLength(2);
    expect((await owner.api.delete(`/projects/${shop.id}`)).status).toBe(204);
    expect(await listErasableEvents(pool, subject, range, 10)).toMatchObject([
      { projectId: uuidOf(site.id) },
    ]);
  });

  it('scans a value that others have as well by the index of its project', async () => {
    const owner = await service.signUp();
    const project = await owner.createProject();
    const subject = {
      organizationId: toUuid('org', owner.organizationId) ?? '',
      projectIds: [uuidOf(project.id)],
      key: null,
      value: 'true',
    };
    const weekMs = weekOf(service.context.clock.now());
    // As in an erasure: in a shorter time there may be so few events that the index of their ids is as good.
    const range = { fromId: uuidLowerBound(weekMs), beforeId: uuidLowerBound(endOfWeek(weekMs)) };
    const plans: string[] = [];
    const query = async (text: string, values: unknown[]) => {
      const { rows } = await pool.query<object>(`EXPLAIN ${text}`, values);
      plans.push(JSON.stringify(rows));
      return { rows: [] };
    };
    await listScannedEvents({ query: query as unknown as Queryable['query'] }, subject, range, 10_000);
    expect(plans.join()).toContain('project_id_id_idx');
    expect(plans.join()).not.toContain('jsonb_path_query_array');
  });

  it('lets one worker at a time carry out erasures', async () => {
    const owner = await service.signUp();
    const { id: projectId } = await owner.createProject();
    await request(owner, { projectId, value: aUser() });
    const first = new Eraser(dependencies);
    await first.runOnce();
    const other = new Eraser({ ...dependencies, processId: randomUUID() });
    expect(await other.runOnce()).toBe('idle');
    await eraseAll(first);
  });
});
