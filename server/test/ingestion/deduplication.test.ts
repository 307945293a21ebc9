import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { NO_EVENTS } from '../processing/support.ts';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { expectInvalid } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { anEvent } from './support.ts';

const DAY_MS = 24 * 60 * 60_000;

const BODIES: [string, Record<string, unknown>][] = [
  ['/ingest/events', anEvent()],
  ['/ingest/server-error', { status_code: 500, path: '/', method: 'GET', error_message: 'Boom' }],
  ['/ingest/webhook', { source: 'github', event: 'push', payload: {} }],
  ['/ingest/payments', { type: 'charge.failed', data: {} }],
];

describe('a repeat', async () => {
  const service = await startTestService({ own: true });
  const second = await startTestService({ roles: ['ingestion'], database: service.database });
  const user = await service.signUp();
  const ledgerOf = async (projectId: string) =>
    waitFor('the queue to be empty', async () => {
      const { body } = await user.api.get(`/projects/${projectId}/ledger`);
      return body.queued === 0 && body;
    });
  const storedIn = async (projectId: string) =>
    (await user.api.get(`/events?project_id=${projectId}&limit=500`)).body;

  it.each(BODIES)(
    'returns the first answer to a repeated Idempotency-Key at %s, and stores nothing',
    async (path, body) => {
      const { id, ingest } = await user.createProject();
      const headers = { 'idempotency-key': 'order 1: retry / "x"' };
      const first = await ingest.post(path, body, { headers });
      const repeat = await ingest.post(path, body, { headers });
      const other = await ingest.post(path, body, { headers: { 'idempotency-key': 'order 2' } });
      expect([first.status, repeat.status, other.status]).toEqual([202, 202, 202]);
      expect(repeat.body).toEqual(first.body);
      expect(other.body.jobId).not.toBe(first.body.jobId);
      expect(await ledgerOf(id)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 2, duplicate: 1 });
      expect((await storedIn(id)).map((event: { id: string }) => event.id)).toEqual([
        other.body.jobId.replace('job_', 'evt_'),
        first.body.jobId.replace('job_', 'evt_'),
      ]);
    },
  );

  it('repeats the results of a bulk body line by line, errors included, and stores nothing', async () => {
    const { id, ingest } = await user.createProject();
    const lines = [anEvent(), { type: 'bad' }, anEvent(), anEvent()];
    const headers = { 'idempotency-key': 'bulk 1' };
    const first = await ingest.post('/ingest/bulk', lines, { headers });
    const repeat = await ingest.post('/ingest/bulk', lines, { headers });
    expect(first.status).toBe(202);
    expect([repeat.status, repeat.body]).toEqual([202, first.body]);
    expect(await ledgerOf(id)).toEqual({ ...NO_EVENTS, accepted: 6, stored: 3, duplicate: 3 });
  });

  it('repeats the whole first answer of a large bulk body, byte by byte, though little of it is kept', async () => {
    const { id, ingest } = await user.createProject();
    const bad = Array(9_998).fill('{}');
    const lines = [...bad, JSON.stringify(anEvent()), 'no JSON'].join('\n');
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': 'large' };
    const first = await ingest.post('/ingest/bulk', lines, { headers });
    const repeat = await ingest.post('/ingest/bulk', JSON.stringify(anEvent()), { headers });
    expect([first.status, repeat.status]).toEqual([202, 202]);
    expect(JSON.stringify(repeat.body)).toBe(JSON.stringify(first.body));
    expect(first.body).toHaveLength(10_000);
    expect(await ledgerOf(id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 1, duplicate: 1 });
    const kept = await service.context.pool.query<{ bytes: number }>(
      'SELECT pg_column_size(answer) AS bytes FROM claims WHERE project_id = $1',
      [toUuid('proj', id)],
    );
    expect(kept.rows[0]?.bytes).toBeLessThan(1_000);
  });

  it('returns the first answer to a repeated payment id, whatever header came with it', async () => {
    const { id, ingest } = await user.createProject();
    const send = (payment: string, headers = {}) =>
      ingest.post('/ingest/payments', { type: 'charge.failed', data: {}, id: payment }, { headers });
    const first = await send('pay_1');
    expect((await send('pay_1')).body).toEqual(first.body);
    expect((await send('pay_1', { 'idempotency-key': 'another delivery' })).body).toEqual(first.body);
    expect((await send('pay_2')).body).not.toEqual(first.body);
    expect(await ledgerOf(id)).toEqual({ ...NO_EVENTS, accepted: 4, stored: 2, duplicate: 2 });
  });

  it('recognises no repeat of a payment without an id', async () => {
    const { id, ingest } = await user.createProject();
    for (let count = 0; count < 3; count++) await ingest.post('/ingest/payments', { type: 't', data: {} });
    expect(await ledgerOf(id)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 3 });
  });

  it('recognises no repeat if a payment’s id equals another idempotency key', async () => {
    const { id, ingest } = await user.createProject();
    await ingest.post('/ingest/payments', { type: 't', data: {}, id: 'same' });
    await ingest.post('/ingest/events', anEvent(), { headers: { 'idempotency-key': 'same' } });
    expect(await ledgerOf(id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 2 });
  });

  it('recognises no repeat in another project', async () => {
    const [one, two] = [await user.createProject(), await user.createProject()];
    const headers = { 'idempotency-key': 'same' };
    const answers = [];
    for (const { ingest } of [one, two])
      answers.push(await ingest.post('/ingest/events', anEvent(), { headers }));
    expect(answers[0]?.body.jobId).not.toBe(answers[1]?.body.jobId);
    for (const { id } of [one, two])
      expect(await ledgerOf(id)).toEqual({ ...NO_EVENTS, accepted: 1, stored: 1 });
  });

  it('stores exactly one of many concurrent repeats in two processes', async () => {
    const { id, apiKey } = await user.createProject();
    const clients = [service, second].map(
      ({ ingestionUrl }) => new ApiClient(ingestionUrl, { 'x-api-key': apiKey }),
    );
    const [keys, repeats] = [20, 20];
    const answers = await Promise.all(
      Array.from({ length: keys * repeats }, async (_, index) => {
        const headers = { 'idempotency-key': `key ${index % keys}` };
        const answer = await clients[index % 3 === 0 ? 0 : 1]?.post('/ingest/events', anEvent(), { headers });
        expect(answer?.status).toBe(202);
        return `${index % keys} ${answer?.body.jobId}`;
      }),
    );
    expect(new Set(answers).size).toBe(keys);
    expect(await ledgerOf(id)).toEqual({
      ...NO_EVENTS,
      accepted: keys * repeats,
      stored: keys,
      duplicate: keys * (repeats - 1),
    });
    expect(await storedIn(id)).toHaveLength(keys);
  });

  it('recognises a repeat by keys of 255 characters, and refuses longer ones', async () => {
    const { id, ingest } = await user.createProject();
    for (const [path, body] of [...BODIES, ['/ingest/bulk', [anEvent()]] as const]) {
      const answer = await ingest.post(path, body, { headers: { 'idempotency-key': 'k'.repeat(256) } });
      expectInvalid(answer, '/idempotency-key');
    }
    const headers = { 'idempotency-key': 'k'.repeat(255) };
    const first = await ingest.post('/ingest/events', anEvent(), { headers });
    expect((await ingest.post('/ingest/events', anEvent(), { headers })).body).toEqual(first.body);
    expect(await ledgerOf(id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 1, duplicate: 1 });
  });

  it('does not use up the key of a refused request', async () => {
    const { ingest } = await user.createProject();
    const headers = { 'idempotency-key': 'fixed later' };
    expect((await ingest.post('/ingest/events', { type: 'bad' }, { headers })).status).toBe(400);
    const fixed = await ingest.post('/ingest/events', anEvent(), { headers });
    expect(fixed.status).toBe(202);
    const job = await waitFor('the job', async () => {
      const { body } = await ingest.get(`/ingest/jobs/${fixed.body.jobId}`);
      return body.status === 'processed' && body;
    });
    expect(job.eventId).toBe(fixed.body.jobId.replace('job_', 'evt_'));
  });
});

describe('a repeat after a while', async () => {
  const clock = new StillClock();
  const service = await startTestService({ clock });
  const user = await service.signUp();

  it('recognises a repeat for 30 days', async () => {
    const { ingest } = await user.createProject();
    const headers = { 'idempotency-key': 'k' };
    const first = await ingest.post('/ingest/events', anEvent(), { headers });
    clock.advance(29 * DAY_MS);
    await service.maintain();
    expect((await ingest.post('/ingest/events', anEvent(), { headers })).body).toEqual(first.body);
    clock.advance(2 * DAY_MS);
    await service.maintain();
    expect((await ingest.post('/ingest/events', anEvent(), { headers })).body).not.toEqual(first.body);
  });
});
