import pg from 'pg';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { CHANNELS } from '../../src/database/channels.ts';
import { UnsentBytes } from '../../src/http/unsent-bytes.ts';
import { newUuid } from '../../src/platform/ids.ts';
import { type Client, Clients } from '../../src/realtime/clients.ts';
import { LiveTail } from '../../src/realtime/live-tail.ts';
import { createRealtimeMetrics } from '../../src/realtime/metrics.ts';
import { StillClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';

it('tells the workers once whose events are watched, and again for a viewer who comes back', async () => {
  const { pool, connectionString } = await createTestDatabase();
  const listener = new pg.Client(connectionString);
  await listener.connect();
  onTestFinished(() => listener.end());
  const heard: string[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await listener.query(`LISTEN ${CHANNELS.watchers}`);
  /** Counts the notifications of the workers so far. */
  const told = async () => {
    await pool.query(`SELECT pg_notify($1, 'asked')`, [CHANNELS.watchers]);
    await waitFor('the answer', () => heard.includes('asked'));
    return heard.splice(0).filter((payload) => payload === '').length;
  };

  const clock = new StillClock();
  const clients = new Clients(createRealtimeMetrics([new Registry()]), new UnsentBytes());
  const tail = new LiveTail(pool, clock, clients, newUuid(clock.now()));
  const client: Client = {
    // A socket without a connection, which no constructor creates: nothing is sent here.
    socket: Object.create(WebSocket.prototype) as WebSocket,
    sessionId: newUuid(clock.now()),
    organizationId: newUuid(clock.now()),
    topics: new Set(),
    alive: true,
  };
  clients.add(client);
  await tail.flush();
  expect(await told()).toBe(0);
  for (let visit = 0; visit < 2; visit++) {
    client.topics.add('events');
    await tail.flush();
    expect(await told()).toBe(1);
    await tail.flush();
    expect(await told()).toBe(0);
    const registered = 'SELECT organization_id AS id FROM live_tail_watchers WHERE expires_at > $1';
    const { rows } = await pool.query(registered, [new Date(clock.now())]);
    expect(rows).toEqual([{ id: client.organizationId }]);
    client.topics.delete('events');
    await tail.flush();
    expect(await told()).toBe(0);
  }
});
