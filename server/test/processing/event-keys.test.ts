import { describe, expect, it } from 'vitest';
import { NO_CONDITIONS } from '../../src/events/archive/no-conditions.ts';
import type { EventConditions } from '../../src/events/read-types.ts';
import { all, indexedWhere } from '../../src/events/where.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';

interface ListedEvent {
  message: string;
  fingerprint: string;
  groupId: string;
}

describe('events of keys with the same hash', async () => {
  const database = await createTestDatabase();
  // Hashes depend only on the length: all fingerprints have the same one, and so have the correlation ids below.
  await database.pool.query(`CREATE OR REPLACE FUNCTION event_key(organization_id uuid, value text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN length(value)::bigint`);
  const service = await startTestService({ database });
  const [owner, stranger] = [await service.signUp('Ada'), await service.signUp('Eve')];
  const shop = await owner.createProject('Shop');
  const other = await stranger.createProject('Other');
  const startMs = service.context.clock.now() - 600_000;
  const at = (index: number) => new Date(startMs + index * 60_000).toISOString();
  const MESSAGES = ['Kasse voll', 'Kasse leer', 'Kasse alt'];
  for (const project of [shop, other])
    for (const [index, message] of MESSAGES.entries())
      await project.ingest.post('/ingest/events', {
        type: 'checkout',
        severity: 'ERROR',
        message,
        capturedAt: at(index),
        correlation: { order_id: `ord_${index}` },
      });
  await service.settled();
  const { body: events } = (await owner.api.get('/events')) as { body: ListedEvent[] };
  const messagesOf = async (path: string): Promise<string[]> => {
    const { status, body } = await owner.api.get(path);
    expect(status).toBe(200);
    return body.map(({ message }: ListedEvent) => message).toSorted();
  };

  it('lists only events of the given fingerprint, correlation id or group despite equal hashes', async () => {
    expect(events).toHaveLength(MESSAGES.length);
    for (const [index, message] of MESSAGES.entries()) {
      const { fingerprint, groupId } = events.find((event) => event.message === message) ?? {};
      for (const path of [
        `/events?fingerprint=${fingerprint}`,
        `/events?fingerprint=${fingerprint}&q=kasse`,
        `/events?correlation_id=ord_${index}`,
        `/events?correlation_id=ord_${index}&fingerprint=${fingerprint}&project_id=${shop.id}`,
        `/events?group_id=${groupId}`,
        `/groups/${groupId}/events`,
      ])
        expect([path, await messagesOf(path)]).toEqual([path, [message]]);
    }
  });

  it('titles groups and frequent values by their own events despite equal hashes', async () => {
    const { body: top } = await owner.api.get('/events/top?by=fingerprint');
    expect(top.map(({ label }: { label: string }) => label).toSorted()).toEqual(MESSAGES.toSorted());
    const { body: groups } = await owner.api.get('/groups');
    expect(groups.map(({ title }: { title: string }) => title).toSorted()).toEqual(MESSAGES.toSorted());
    const { body: histogram } = await owner.api.get('/events/top?by=source&correlation_id=ord_1');
    expect(histogram).toMatchObject([{ count: 1 }]);
  });

  it('lists only events of merged groups despite equal hashes', async () => {
    const idOf = (message: string) => events.find((event) => event.message === message)?.groupId;
    const [target, merged] = [idOf('Kasse voll'), idOf('Kasse leer')];
    expect((await owner.api.post(`/groups/${target}/merge`, { ids: [merged] })).status).toBeLessThan(300);
    for (const path of [`/groups/${target}/events`, `/events?group_id=${target}`])
      expect(await messagesOf(path)).toEqual(['Kasse leer', 'Kasse voll']);
    expect((await owner.api.get(`/groups/${target}`)).body).toMatchObject({
      firstSeen: at(0),
      lastSeen: at(1),
    });
    expect((await owner.api.delete(`/groups/${target}/merged/${merged}`)).status).toBeLessThan(300);
    expect(await messagesOf(`/groups/${target}/events`)).toEqual(['Kasse voll']);
    expect((await owner.api.get(`/groups/${target}`)).body).toMatchObject({
      firstSeen: at(0),
      lastSeen: at(0),
    });
  });
});

describe('the indexes of events', async () => {
  const service = await startTestService({ roles: ['management'] });
  const { pool } = service.database;
  const user = await service.signUp();
  const projectId = toUuid('proj', (await user.createProject()).id) ?? '';
  const organizationId = toUuid('org', user.organizationId) ?? '';
  const EVENTS = 40_000;
  /** Number of events per occurrence of a value. */
  const SHARES = { frequent: 3, medium: 40, rare: 5_000 };
  const valueOf = `CASE ${Object.entries(SHARES)
    .toReversed()
    .map(([name, every]) => `WHEN n % ${every} = 1 THEN '${name}'`)
    .join(' ')} ELSE 'kind ' || n END`;
  await pool.query(
    `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id,
        fingerprint, correlation, payload)
      SELECT (left($3::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        owner.organization_id, owner.project_id, now(), 'info', 't', 'm', ${valueOf}, ${valueOf}, '{}', '{}'
      FROM generate_series(1, ${EVENTS}) AS n
        JOIN (VALUES (true, $1::uuid, $2::uuid), (false, $2, $1)) AS owner (is_own, organization_id, project_id)
          ON is_own = (n % 10000 <= 1000)`,
    [organizationId, projectId, newUuid(service.context.clock.now())],
  );
  await pool.query('ANALYZE events');

  /** Returns the number of events read for the first page of 51, those left out included. */
  const countRead = async (conditions: Partial<EventConditions>): Promise<number> => {
    const values: unknown[] = [organizationId];
    const where = indexedWhere({ ...NO_CONDITIONS, afterMs: null, beforeMs: null, ...conditions }, values);
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT json) SELECT * FROM events WHERE ${all(where)} ORDER BY id DESC LIMIT 51`,
      values,
    );
    return rows.reduce((sum, row) => sum + readOf(row['QUERY PLAN'][0].Plan), 0);
  };

  it.each([
    ['frequent', 51],
    ['medium', 51],
    ['rare', 4],
    ['nothing', 0],
  ])('reads no other events for a page of a value that is %s', async (value, events) => {
    expect(await countRead({ fingerprint: value })).toBe(events);
    expect(await countRead({ correlationId: value })).toBe(events);
  });

  it('reads no other events for a page of a project', async () => {
    expect(await countRead({ projectId })).toBe(51);
  });
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Sums the rows read from partitions of events. */
function readOf(node: PlanNode): number {
  const own = node['Relation Name']?.startsWith('events_')
    ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
    : 0;
  return (node.Plans ?? []).reduce((sum, below) => sum + readOf(below), own);
}
