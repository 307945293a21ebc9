import { describe, expect, it } from 'vitest';
import { inPlainTransaction, type Queryable } from '../../src/database/database.ts';
import { toId } from '../../src/platform/ids.ts';
import { deleteDeadLettersBefore } from '../../src/processing/dead-letters/queries.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { aQueuedEvent, ledgerOf, NO_EVENTS, processed, storeBatch, uuidOf } from './support.ts';

const service = await startTestService({ own: true });
const { pool } = service.database;
const user = await service.signUp();
const { api } = user;

// Refuses events of a type until a test mends it.
await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'broken %', NEW.source USING ERRCODE = '22000'; END $$`);
const refuse = (type: string) =>
  pool.query(`CREATE TRIGGER refuse_${type} BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.type = '${type}')
    EXECUTE FUNCTION refuse()`);
const mend = (type: string) => pool.query(`DROP TRIGGER refuse_${type} ON events`);

const lettersPath = (projectId: string) => `/projects/${projectId}/dead-letters`;
const listOf = async (projectId: string, query = '') =>
  (await api.get(`${lettersPath(projectId)}${query}`)).body;
const noticesOf = async (reader: TestUser) =>
  (await reader.api.get('/auth/notices')).body.filter(
    ({ kind }: { kind: string }) => kind === 'dead_letters',
  );

/** Jobs of all dead letters of a project, in the order of their ids. */
async function idsOfAll(projectId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM dead_letters WHERE project_id = $1 ORDER BY id',
    [uuidOf(projectId)],
  );
  return rows.map(({ id }) => toId('job', id));
}

/** Creates a project with so many dead letters of a type that is refused. */
async function createDead(type: string, count: number) {
  await refuse(type);
  const project = await user.createProject(type);
  const events = Array.from({ length: count }, () => aQueuedEvent(project.id, { type }));
  await storeBatch(service, project.id, events);
  return { ...project, events };
}

describe('lists of dead letters', () => {
  it('shows each with its reason, the newest first, and its event as it was queued', async () => {
    const { id, events } = await createDead('listed', 3);
    const letters = await listOf(id);
    expect(letters).toHaveLength(3);
    expect(letters[0]).toEqual({
      id: expect.stringMatching(/^job_/),
      kind: 'event',
      title: 'Paid',
      events: 1,
      bytes: JSON.stringify(events[2]).length,
      sqlState: '22000',
      reason: 'broken shop',
      createdAt: expect.any(String),
    });
    const { body } = await api.get(`${lettersPath(id)}/${letters[0].id}`);
    expect(body).toEqual({ ...letters[0], event: events[2] });
    const first = await api.get(`${lettersPath(id)}?limit=2`);
    const next = new URL(/<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '');
    expect([...first.body, ...(await api.get(next.pathname + next.search)).body]).toEqual(letters);
    expect(await listOf(id, '?sql_state=22P05')).toEqual([]);
    await mend('listed');
  });

  it.each([
    ['with a NUL', { message: 'a\0b', payload: { a: '\0' } }, 'a\ufffdb'],
    ['with lone surrogates', { message: `\ud800${'x'.repeat(300)}` }, `\ufffd${'x'.repeat(199)}`],
    ['of a megabyte', { severity: 'none', payload: { a: 'é'.repeat(500_000) } }, 'Paid'],
    ['without a message', { message: null }, ''],
  ])('shows an event %s', async (_what, changes, title) => {
    const { id } = await user.createProject();
    const event = { ...aQueuedEvent(id), ...changes };
    await storeBatch(service, id, [event]);
    const [letter] = await listOf(id);
    expect(letter).toMatchObject({ kind: 'event', title });
    expect((await api.get(`${lettersPath(id)}/${letter.id}`)).body.event).toEqual(event);
  });

  it('shows nothing of a text that names another project, or none, and never queues it again', async () => {
    const [mine, other] = [await user.createProject(), await user.createProject()];
    const foreign = { ...aQueuedEvent(other.id), severity: 'none', payload: { projectId: uuidOf(mine.id) } };
    await storeBatch(service, mine.id, [foreign]);
    await storeBatch(service, mine.id, 'no JSON');
    const letters = await listOf(mine.id);
    expect(letters).toMatchObject([
      { kind: 'unreadable', title: '' },
      { kind: 'unreadable', title: '' },
    ]);
    for (const { id } of letters) {
      expect((await api.get(`${lettersPath(mine.id)}/${id}`)).body.event).toBeNull();
      expectProblem(await api.post(`${lettersPath(mine.id)}/${id}/replay`), 'unreadable_dead_letter');
    }
    expect((await api.post(`${lettersPath(mine.id)}/replay`)).body).toMatchObject({ count: 0, left: 0 });
    expect((await api.delete(lettersPath(mine.id))).body).toMatchObject({ count: 2, left: 0 });
    expect(await ledgerOf(user, mine.id)).toEqual({ ...NO_EVENTS, accepted: 2, dropped: 2 });
  });
});

describe('replays', () => {
  it('stores a mended event exactly once, however often and by whomever it is replayed', async () => {
    const { id, events } = await createDead('pressed', 1);
    await mend('pressed');
    const [letter] = await listOf(id);
    const presses = await Promise.all(
      Array.from({ length: 8 }, () => api.post(`${lettersPath(id)}/${letter.id}/replay`)),
    );
    const statuses = presses.map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([204, ...Array(7).fill(404)]);
    await processed(service);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 1, stored: 1 });
    const stored = (await api.get(`/events?project_id=${id}`)).body;
    expect(stored).toMatchObject([{ type: 'pressed', message: events[0]?.message }]);
    expect(stored[0].id.slice(4)).toBe(letter.id.slice(4));
    expect((await api.get('/organizations/audit?limit=1')).body[0]).toMatchObject({
      action: 'dead_letters.replayed',
      targetId: id,
      after: { count: 1, firstJob: letter.id, lastJob: letter.id, sqlState: null },
    });
  });

  it('leaves an event that is refused again a dead letter, with the new reason', async () => {
    const { id } = await createDead('again', 2);
    const { body: first } = await api.post(`${lettersPath(id)}/replay?sql_state=22000`);
    expect(first).toMatchObject({ count: 2, left: 0 });
    await mend('again');
    await pool.query(`ALTER TABLE events ADD CONSTRAINT no_again CHECK (type <> 'again') NOT VALID`);
    await processed(service);
    expect(await listOf(id)).toMatchObject([{ sqlState: '23514' }, { sqlState: '23514' }]);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 2, dead: 2 });
    // The first request was not about these.
    expect((await api.post(`${lettersPath(id)}/replay?until=${first.until}`)).body).toEqual({
      ...first,
      count: 0,
    });
    await pool.query('ALTER TABLE events DROP CONSTRAINT no_again');
  });

  it('counts the repeats of one event as duplicates once it is stored', async () => {
    const { id } = await user.createProject();
    await refuse('twice');
    const event = aQueuedEvent(id, { type: 'twice' });
    for (let round = 0; round < 2; round++) await storeBatch(service, id, [event]);
    expect(await listOf(id)).toMatchObject([{ events: 2 }]);
    await mend('twice');
    await api.post(`${lettersPath(id)}/replay`);
    await processed(service);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 1, duplicate: 1 });
  });

  it('changes nothing when its connection is lost before the commit', async () => {
    const { id } = await createDead('lost', 1);
    const held = await beginHeldTransaction(pool);
    await held.query('SELECT FROM ledgers WHERE project_id = $1 FOR UPDATE', [uuidOf(id)]);
    const replay = api.post(`${lettersPath(id)}/replay`);
    await waitFor('the replay to wait for the ledger', async () => {
      const { rowCount } = await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE ledgers AS l SET dead%'`,
      );
      return rowCount;
    });
    expect((await replay).status).toBe(503);
    await held.query('ROLLBACK');
    held.release();
    expect(await listOf(id)).toHaveLength(1);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 1, dead: 1 });
    expect((await api.get('/organizations/audit?limit=1')).body[0].action).toBe('project.created');
    await mend('lost');
  });

  it('balances the ledger at every read while replays, discards and a worker are busy', async () => {
    const { id } = await createDead('busy', 60);
    await mend('busy');
    const letters = await listOf(id, '?limit=60');
    let isRunning = true;
    const unequal: unknown[] = [];
    const reading = (async () => {
      while (isRunning) {
        const { accepted, stored, queued, duplicate, dead, dropped } = await ledgerOf(user, id);
        if (accepted !== 60 || accepted !== stored + queued + duplicate + dead + dropped)
          unequal.push({ accepted, stored, queued, dead, dropped });
      }
    })();
    const pressed = await Promise.all(
      letters.map(({ id: letter }: { id: string }, index: number) =>
        index % 3 === 0
          ? api.delete(`${lettersPath(id)}/${letter}`)
          : api.post(`${lettersPath(id)}/${letter}/replay`),
      ),
    );
    await processed(service);
    isRunning = false;
    await reading;
    expect(pressed.map(({ status }) => status)).toEqual(Array(60).fill(204));
    expect(unequal).toEqual([]);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 60, stored: 40, dropped: 20 });
  });
});

describe('discards', () => {
  it('takes at most 500 a request, and says how many are left', async () => {
    const { id } = await createDead('many', 1);
    await pool.query(
      `INSERT INTO dead_letters (project_id, id, kind, title, event, events, sql_state, reason)
        SELECT project_id, gen_random_uuid(), kind, title, event, events, sql_state, reason
        FROM dead_letters, generate_series(1, 501) WHERE project_id = $1`,
      [uuidOf(id)],
    );
    await pool.query('UPDATE ledgers SET accepted = 502, dead = 502 WHERE project_id = $1', [uuidOf(id)]);
    const jobs = await idsOfAll(id);
    const { body: first } = await api.delete(lettersPath(id));
    expect(first).toMatchObject({ count: 500, left: 2 });
    const { body: entries } = await api.get('/organizations/audit?limit=1');
    expect(entries[0]).toMatchObject({
      action: 'dead_letters.discarded',
      targetId: id,
      after: { count: 500, firstJob: jobs[0], lastJob: jobs[499], sqlState: null, until: first.until },
    });
    const { body: second } = await api.delete(`${lettersPath(id)}?until=${first.until}`);
    expect(second).toEqual({ count: 2, left: 0, until: first.until });
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 502, dropped: 502 });
    await mend('many');
  });
});

describe('the notice about dead letters', () => {
  it('reaches each OWNER once, until there are none any more', async () => {
    const owner = await service.signUp('Grace');
    const member = await owner.addMember('Edsger', 'MEMBER');
    const { id } = await owner.createProject('Shop');
    const poison = () => ({ ...aQueuedEvent(id), severity: 'none' });
    await storeBatch(service, id, [poison(), poison()]);
    await storeBatch(service, id, [poison()]);
    const notices = await noticesOf(owner);
    expect(notices).toMatchObject([{ by: null, project: { id, name: 'Shop' }, environment: null }]);
    expect(await noticesOf(member)).toEqual([]);
    await owner.api.delete(`/auth/notices/${notices[0].id}`);
    await storeBatch(service, id, [poison()]);
    expect(await noticesOf(owner)).toEqual([]);
    await owner.api.delete(lettersPath(id));
    await storeBatch(service, id, [poison()]);
    expect(await noticesOf(owner)).toHaveLength(1);
    await owner.api.delete(lettersPath(id));
    expect(await noticesOf(owner)).toEqual([]);
  });
});

describe('dead letters of others', () => {
  it('hides those of another organization, and of a deleted project', async () => {
    const { id } = await createDead('foreign', 1);
    const [letter] = await listOf(id);
    const stranger = await service.signUp('Mallory');
    const own = await stranger.createProject();
    const requests = (client: TestUser['api'], projectId: string) => [
      client.get(lettersPath(projectId)),
      client.get(`${lettersPath(projectId)}/${letter.id}`),
      client.post(`${lettersPath(projectId)}/${letter.id}/replay`),
      client.post(`${lettersPath(projectId)}/replay`),
      client.delete(`${lettersPath(projectId)}/${letter.id}`),
      client.delete(lettersPath(projectId)),
    ];
    for (const answer of await Promise.all(requests(stranger.api, id))) expectProblem(answer, 'not_found');
    const ofOwn = await Promise.all(requests(stranger.api, own.id));
    expect(ofOwn.map(({ status }) => status)).toEqual([200, 404, 404, 200, 404, 200]);
    expect(await listOf(id)).toEqual([letter]);
    await api.delete(`/projects/${id}`);
    for (const answer of await Promise.all(requests(api, id))) expectProblem(answer, 'not_found');
    await mend('foreign');
  });
});

it('moves dead letters that retention removes to another part of the ledger', async () => {
  const { id } = await createDead('old', 2);
  await pool.query(
    `UPDATE dead_letters SET created_at = now() - interval '100 days'
      WHERE id = (SELECT min(id::text)::uuid FROM dead_letters WHERE project_id = $1)`,
    [uuidOf(id)],
  );
  await service.maintain();
  expect(await listOf(id)).toHaveLength(1);
  expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 2, dead: 1, dropped: 1 });
  const noticed = async () =>
    (await noticesOf(user)).map(({ project }: { project: { id: string } }) => project.id);
  expect(await noticed()).toContain(id);
  await pool.query(`UPDATE dead_letters SET created_at = now() - interval '100 days' WHERE project_id = $1`, [
    uuidOf(id),
  ]);
  await service.maintain();
  expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 2, dropped: 2 });
  expect(await noticed()).not.toContain(id);
  await mend('old');
});

it('finds dead letters that are too old by the index of their age', async () => {
  const plan = await inPlainTransaction(pool, async (transaction) => {
    await transaction.query('SET LOCAL enable_seqscan = off');
    const plans: string[] = [];
    const query = async (text: string, values: unknown[]) => {
      const { rows } = await transaction.query<object>(`EXPLAIN ${text}`, values);
      plans.push(JSON.stringify(rows));
      return { rows: [] };
    };
    const explaining = { query: query as unknown as Queryable['query'] };
    await deleteDeadLettersBefore(explaining, new Date(service.context.clock.now()), 5_000);
    return plans.join();
  });
  expect(plan).toContain('dead_letters_age');
});
