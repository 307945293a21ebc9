import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { anEvent, storedEvent } from './support.ts';

/** One request for each path into the intake: past the framework, through its routes, and a bulk body. */
const WAYS = [
  { path: '/ingest/events', type: 'application/json' },
  { path: '/ingest/events', type: 'application/json; charset=utf-8' },
  { path: '/ingest/webhook', type: 'application/json' },
  { path: '/ingest/bulk', type: 'application/x-ndjson' },
];

describe('a request whose client leaves while the database is slow', async () => {
  const clock = new StillClock();
  const service = await startTestService({ clock });
  const user = await service.signUp();
  const project = await user.createProject();
  const waiting = async () => (await service.context.metrics.intakeWaiting.get()).values[0]?.value ?? 0;

  /** Sends a request over its own connection. */
  const open = async ({ path, type }: (typeof WAYS)[number], message: string) => {
    const event =
      path === '/ingest/webhook' ? { source: 's', event: message, payload: {} } : anEvent({ message });
    const body = JSON.stringify(event);
    const socket = connect(Number(new URL(service.ingestionUrl).port), '127.0.0.1');
    const head = ['Host: localhost', `X-Api-Key: ${project.apiKey}`, `Content-Type: ${type}`];
    const client = { socket, received: '' };
    socket.on('data', (chunk) => (client.received += String(chunk)));
    onTestFinished(() => void socket.destroy());
    const before = await waiting();
    socket.write(
      `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await waitFor('the request to wait', async () => (await waiting()) > before);
    return client;
  };

  it('neither stores nor counts a request whose client disconnects while the database is slow, and frees its place', async () => {
    // From here on the owner of the key is known, so that the hot route serves the first request at once.
    await storedEvent(user, await project.ingest.post('/ingest/events', anEvent()));
    const holder = new pg.Client(service.database.connectionString);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('BEGIN; LOCK TABLE queue IN ACCESS EXCLUSIVE MODE');
    const underWay = project.ingest.post('/ingest/events', anEvent({ message: 'under way' }));
    // The worker and the observers of the queue wait for the lock as well.
    const blocked = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO queue%'`;
    await waitFor(
      'a commit to be under way',
      async () => (await service.context.pool.query(blocked)).rowCount === 1,
    );

    const leaving = [];
    const staying = [];
    for (const [index, way] of WAYS.entries()) {
      leaving.push(await open(way, `left ${index}`));
      staying.push(await open(way, `stayed ${index}`));
    }
    expect(await waiting()).toBe(2 * WAYS.length);
    clock.advance(2_000);
    for (const { socket } of leaving) {
      socket.end();
      // The service closes its side once it has noticed that the client left.
      await once(socket, 'close');
    }
    await holder.query('COMMIT');

    expect((await underWay).status).toBe(202);
    for (const client of staying) {
      await waitFor('the answer', () => client.received.includes('"queued"'));
      expect(client.received).toMatch(/^HTTP\/1\.1 202 /);
    }
    expect(leaving.map(({ received }) => received)).toEqual(WAYS.map(() => ''));
    expect(await waiting()).toBe(0);
    const ledger = await waitFor('everything to be stored', async () => {
      const { body } = await user.api.get(`/projects/${project.id}/ledger`);
      return body.stored >= 2 + WAYS.length && body.queued === 0 && body;
    });
    expect(ledger).toMatchObject({ accepted: 2 + WAYS.length, stored: 2 + WAYS.length });
    const { body: events } = await user.api.get(`/events?project_id=${project.id}&limit=500`);
    const messages = events.map(({ message }: { message: string }) => message).toSorted();
    expect(messages).toEqual(['Paid', ...WAYS.map((_, index) => `stayed ${index}`), 'under way']);
  });
});
