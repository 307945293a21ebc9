import { describe, expect, it } from 'vitest';
import { writeEndedMutes } from '../../src/groups/mutes-loop.ts';
import { listResolvedSubjects } from '../../src/notifications/delivery/deferral-queries.ts';
import { findMessageGroup } from '../../src/notifications/messages/message-queries.ts';
import { HOUR_MS } from '../../src/platform/durations.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { isoTime } from '../../src/platform/time.ts';
import { aQueuedEvent, storeBatch, uuidOf } from '../processing/support.ts';
import { readAll } from '../support/client.ts';
import { LeapingClock, StillClock } from '../support/clock.ts';
import { insertRiskIncident } from '../support/risk-incidents.ts';
import { startTestService, type TestService, type TestUser } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { waitFor } from '../support/wait.ts';

const MUTE_MS = 3_000;

/** Creates a group with an event; no worker runs beside the test. */
async function createGroup(service: TestService, user: TestUser, projectId: string, name: string) {
  const event = () => {
    const nowMs = service.context.clock.now();
    const receivedAt = isoTime(nowMs);
    return aQueuedEvent(projectId, {
      id: newUuid(nowMs),
      receivedAt,
      severity: 'error',
      message: name,
      fingerprint: name.padEnd(16, '0'),
      release: '1.0.0',
      type: name,
      source: name,
    });
  };
  const store = () => storeBatch(service, projectId, [event()]);
  await store();
  const { body } = await user.api.get(`/groups?project_id=${projectId}&type=${name}`);
  const id: string = body[0].id;
  const patch = async (fields: object) => {
    const { status, body: changed } = await user.api.patch(`/groups/${id}`, fields);
    expect(status, JSON.stringify(changed)).toBe(200);
    return changed;
  };
  const history = async () => (await user.api.get(`/groups/${id}/history`)).body;
  return { id, store, patch, history };
}

describe('a mute that has ended by time', async () => {
  const clock = new StillClock();
  const service = await startTestService({ roles: ['management'], clock });
  const { pool } = service.database;
  const user = await service.signUp();
  const project = await user.createProject();
  const projectId = project.id;
  const create = (name: string) => createGroup(service, user, projectId, name);
  const mute = async (group: Awaited<ReturnType<typeof create>>) => {
    const muteUntil = isoTime(clock.now() + MUTE_MS);
    await group.patch({ muteUntil, muteForCount: 100 });
    return muteUntil;
  };

  const regressed = await create('regressed');
  await regressed.patch({ state: 'resolved' });
  clock.advance(1);
  await regressed.store();
  await regressed.patch({ assigneeId: user.id });
  const forEver = await create('forever');
  await forEver.patch({ state: 'muted' });
  const muteUntil = await mute(regressed);

  const reader = await user.createToken('read');
  const incidentId = await insertRiskIncident(pool, project, { fromMs: clock.now() - HOUR_MS });
  clock.advance(MUTE_MS + 1_000);

  const statesIn = async (query: string): Promise<Record<string, string>> => {
    const { status, body } = await reader.get(`/groups?project_id=${projectId}&${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return Object.fromEntries(body.map(({ type, state }: Record<string, string>) => [type, state]));
  };
  const both = { regressed: 'open', forever: 'muted' };
  const open = { regressed: 'open' };
  const idOf = (id: string) => toUuid('grp', id) ?? '';
  const organizationId = toUuid('org', user.organizationId) ?? '';
  const path = `/groups/${regressed.id}`;
  const statusOf = async (address: string) => (await reader.get(address)).status;

  /** Groups whose mute ends now, and whose count is their number. */
  const insertMuted = (id: string, type: string, groups: number) =>
    pool.query(
      `INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, type, severity, state, mute_until,
          count, first_seen, last_seen)
        SELECT gen_random_uuid(), $1, $2, 1000 + n, n::text, 'Kind ' || n, $3, 'error', 'muted', $4, n, $4, $4
        FROM generate_series(1, $5) AS n`,
      [organizationId, uuidOf(id), type, now(), groups],
    );

  const readers: [string, unknown, () => Promise<unknown>][] = [
    ['the list', both, () => statesIn('')],
    ['the list of open groups', open, () => statesIn('state=open')],
    ['the list of muted groups', { forever: 'muted' }, () => statesIn('state=muted')],
    ['the list of resolved groups', {}, () => statesIn('state=resolved')],
    ['the list of regressed groups', open, () => statesIn('is=regressed')],
    ['the list of warnings and worse', open, () => statesIn('state=open&min_severity=warn')],
    ['the list by first appearance', open, () => statesIn('state=open&sort=first_seen')],
    ['the list by count', open, () => statesIn('state=open&sort=count')],
    ['the list by users', open, () => statesIn('state=open&sort=users')],
    ['the search by type', open, () => statesIn('state=open&type=regressed')],
    ['the search by type among muted groups', {}, () => statesIn('state=muted&type=regressed')],
    ['the search by words', open, () => statesIn('state=open&q=regressed')],
    ['the search by assignee', open, () => statesIn('state=open&assignee=me')],
    ['the group', 'open', async () => (await reader.get(path)).body.state],
    ['its history', 4, async () => (await reader.get(`${path}/history`)).body.length],
    ['its events', 200, () => statusOf(`${path}/events`)],
    ['its releases', 200, () => statusOf(`${path}/releases`)],
    ['its incidents', 200, () => statusOf(`${path}/incidents`)],
    ['its recent counts', 200, () => statusOf(`/groups/counts?ids=${regressed.id}&unit=hour`)],
    ['the silences that cover it', 200, () => statusOf(`/silences?covers=${regressed.id}`)],
    [
      'the groups of an incident',
      ['muted', 'open'],
      async () => {
        const { body } = await reader.get(`/incidents/${incidentId}/groups`);
        return body.map(({ group }: { group: { state: string } }) => group.state).toSorted();
      },
    ],
    [
      'a live frame',
      'open',
      async () => {
        const { socket, frames } = await openSocket(service.managementUrl, { cookie: user.api.cookie });
        socket.send('{"subscribe":"groups"}');
        const frame = await waitFor('the group', () =>
          frames.find(({ change, data }) => change === 'counted' && data.id === regressed.id),
        );
        return frame.data.state;
      },
    ],
    [
      'a message about it',
      'open',
      async () => (await findMessageGroup(pool, organizationId, idOf(regressed.id), now()))?.state,
    ],
    [
      'the choice of messages that are over',
      [idOf(forEver.id)],
      () => listResolvedSubjects(pool, organizationId, [idOf(regressed.id), idOf(forEver.id)], now()),
    ],
  ];
  const now = () => new Date(clock.now());

  it.each(readers)('reads %s as after the mute before a worker runs, and writes no row', async (...row) => {
    const [, expected, read] = row;
    const before = await listRows(service);
    expect(await read()).toEqual(expected);
    expect(await listRows(service)).toEqual(before);
  });

  it('hides what ended the mute of a group once it has ended', async () => {
    expect((await reader.get(path)).body).toMatchObject({ muteUntil: null, muteForCount: null });
  });

  it('writes the end of a mute once for several workers, at its time, and announces it', async () => {
    const { frames, socket } = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    socket.send('{"subscribe":"groups"}');
    await Promise.all([writeEndedMutes(service.context), writeEndedMutes(service.context)]);
    const [last, ...others] = await regressed.history();
    expect(last).toMatchObject({
      at: muteUntil,
      userId: null,
      before: { state: 'muted', muteUntil },
      after: { state: 'open' },
    });
    expect(others).toHaveLength(4);
    const isChanged = () =>
      frames.find(({ change, data }) => change === 'changed' && data.id === regressed.id);
    expect((await waitFor('the change', isChanged)).data.state).toBe('open');
    const before = await listRows(service);
    expect(await writeEndedMutes(service.context)).toBe(false);
    expect(await listRows(service)).toEqual(before);
  });

  it('writes the end of a mute before the change of a person who comes before a worker', async () => {
    const group = await create('changed');
    const until = await mute(group);
    clock.advance(MUTE_MS + 1_000);
    expect(await group.patch({ state: 'resolved' })).toMatchObject({ state: 'resolved' });
    expect(await group.history()).toMatchObject([
      { userId: user.id, before: { state: 'open' }, after: { state: 'resolved' } },
      { userId: null, at: until, before: { state: 'muted' }, after: { state: 'open' } },
      { userId: user.id, before: { state: 'open' }, after: { state: 'muted' } },
    ]);
  });

  it('writes the end of a mute at the time of an event that comes before a worker', async () => {
    const group = await create('eventful');
    await mute(group);
    clock.advance(MUTE_MS + 1_000);
    await group.store();
    expect(await group.history()).toMatchObject([
      { userId: null, at: isoTime(clock.now()), before: { state: 'muted' }, after: { state: 'open' } },
      { userId: user.id },
    ]);
    expect(await writeEndedMutes(service.context)).toBe(false);
  });

  it('writes no end of a mute in a deleted project', async () => {
    const other = await user.createProject();
    const group = await createGroup(service, user, other.id, 'deleted');
    await mute(group);
    expect((await user.api.delete(`/projects/${other.id}`)).status).toBe(204);
    clock.advance(MUTE_MS + 1_000);
    const before = await listRows(service);
    expect(await writeEndedMutes(service.context)).toBe(false);
    expect(await listRows(service)).toEqual(before);
  });

  it('writes the ends of many mutes in batches', async () => {
    await insertMuted(projectId, 'many', 450);
    expect((await reader.get('/groups?type=many&state=muted')).body).toEqual([]);
    const rounds: boolean[] = [];
    do rounds.push(await writeEndedMutes(service.context));
    while (rounds.at(-1));
    expect(rounds).toEqual([true, true, false]);
    const { rows } = await pool.query("SELECT state FROM groups WHERE type = 'many' GROUP BY 1");
    expect(rows).toEqual([{ state: 'open' }]);
  });

  it('lists groups whose mute has ended among open ones in the order of the list, each on one page', async () => {
    const { id } = await user.createProject();
    await insertMuted(id, 'paged', 60);
    await pool.query(
      `UPDATE groups SET state = CASE WHEN count % 3 = 0 THEN 'open' ELSE 'muted' END::group_state,
          mute_until = CASE WHEN count % 3 = 1 THEN mute_until END
        WHERE project_id = $1`,
      [uuidOf(id)],
    );
    const listed = await readAll(reader, `/groups?project_id=${id}&state=open&sort=count&limit=7`);
    const counts = listed.map(({ count }) => count);
    const expected = Array.from({ length: 60 }, (_, index) => 60 - index).filter((n) => n % 3 < 2);
    expect(counts).toEqual(expected);
  });

  it('writes the end of a mute in a worker although nobody reads the group', async () => {
    const group = await create('unread');
    const until = await mute(group);
    clock.advance(MUTE_MS + 1_000);
    await startTestService({ roles: ['worker'], database: service.database, clock });
    const isWritten = async () => (await group.history()).length === 2;
    await waitFor('the end of the mute in the history', isWritten);
    expect((await group.history())[0]).toMatchObject({ userId: null, at: until, after: { state: 'open' } });
  });
});

it('keeps a group muted for readers and the worker while a leap of the clock is not confirmed', async () => {
  const clock = new LeapingClock();
  const service = await startTestService({ roles: ['management'], clock });
  const user = await service.signUp();
  const { id: projectId } = await user.createProject();
  const group = await createGroup(service, user, projectId, 'leaping');
  await group.patch({ muteUntil: isoTime(clock.now() + HOUR_MS) });
  clock.set(2 * HOUR_MS);
  expect((await user.api.get(`/groups/${group.id}`)).body.state).toBe('muted');
  expect((await user.api.get(`/groups?project_id=${projectId}&state=open`)).body).toEqual([]);
  expect(await writeEndedMutes(service.context)).toBe(false);
  expect(await group.history()).toHaveLength(1);
});

/** Lists versions and locks of all rows, except for the last use of tokens and the watchers of the live tail. */
async function listRows({ database: { pool } }: TestService): Promise<unknown[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname NOT IN ('access_tokens', 'live_tail_watchers') ORDER BY 1`,
  );
  const versions = tables.map(
    ({ name }) => `SELECT '${name}' AS name, ctid::text, xmin::text, xmax::text FROM "${name}"`,
  );
  const { rows } = await pool.query(versions.join(' UNION ALL '));
  return rows;
}
