import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, ledgerOf, NO_EVENTS, processed, queueBatch, uuidOf } from './support.ts';

const WRITERS = 20;
const ROUNDS = 15;

describe('the ledger', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();

  it('balances at every read while 20 writers and a worker are busy, poison and repeats included', async () => {
    const { id, apiKey } = await user.createProject();
    let running = true;
    let acknowledged = 0;
    const looks: { accepted: number; sum: number; atLeast: number }[] = [];

    const looking = (async () => {
      while (running) {
        const atLeast = acknowledged;
        const { accepted, stored, queued, duplicate, dead, dropped, sampled, erased, expired } =
          await ledgerOf(user, id);
        looks.push({
          accepted,
          sum: stored + queued + duplicate + dead + dropped + sampled + erased + expired,
          atLeast,
        });
      }
    })();
    const poisoning = (async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const bad = { ...aQueuedEvent(id), severity: 'none' };
        await queueBatch(pool, id, [aQueuedEvent(id), bad, aQueuedEvent(id)]);
        acknowledged += 3;
      }
    })();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const ingest = new ApiClient(service.ingestionUrl, { 'x-api-key': apiKey });
        const event = { type: 't', severity: 'INFO', message: 'm' };
        for (let round = 0; round < ROUNDS; round++) {
          const headers = { ...(writer % 2 === 0 && { 'idempotency-key': `${writer % 4} ${round}` }) };
          const single = await ingest.post('/ingest/events', event, { headers });
          expect(single.status).toBe(202);
          acknowledged++;
          const bulk = await ingest.post('/ingest/bulk', [event, event, {}]);
          expect(bulk.status).toBe(202);
          acknowledged += 2;
        }
      }),
    );
    await poisoning;
    await processed(service);
    running = false;
    await looking;

    expect(looks.length).toBeGreaterThan(10);
    expect(looks.filter(({ accepted, sum }) => accepted !== sum)).toEqual([]);
    // Events acknowledged before a read are part of it.
    expect(looks.filter(({ accepted, atLeast }) => accepted < atLeast)).toEqual([]);
    const duplicate = (WRITERS / 2 - 2) * ROUNDS;
    const accepted = WRITERS * ROUNDS * 3 + ROUNDS * 3;
    expect(await ledgerOf(user, id)).toEqual({
      ...NO_EVENTS,
      accepted,
      stored: accepted - duplicate - ROUNDS,
      duplicate,
      dead: ROUNDS,
    });
  });

  it('sums the ledger of an organization over its live projects, queued events and repeats included', async () => {
    const owner = await service.signUp();
    const sum = async () => (await owner.api.get('/organizations/ledger')).body;
    expect(await sum()).toEqual(NO_EVENTS);
    const [shop, site] = [await owner.createProject(), await owner.createProject()];
    const event = { type: 't', severity: 'INFO', message: 'm' };
    const headers = { 'idempotency-key': 'once' };
    for (let round = 0; round < 2; round++) await shop.ingest.post('/ingest/events', event, { headers });
    await site.ingest.post('/ingest/bulk', [event, event]);
    const atOnce = await sum();
    expect(atOnce).toMatchObject({ accepted: 4, duplicate: 1 });
    expect(atOnce.stored + atOnce.queued).toBe(3);
    await processed(service);
    expect(await sum()).toEqual({ ...NO_EVENTS, accepted: 4, stored: 3, duplicate: 1 });
    await owner.api.delete(`/projects/${site.id}`);
    expect(await sum()).toEqual(await ledgerOf(owner, shop.id));
    expect((await sum()).accepted).toBe(2);
  });

  it('shows a ledger of zeros for an untouched project, and none for another organization', async () => {
    const { id } = await user.createProject();
    expect(await ledgerOf(user, id)).toEqual(NO_EVENTS);
    const stranger = await service.signUp();
    expect((await stranger.api.get(`/projects/${id}/ledger`)).status).toBe(404);
  });
});

describe('a deleted project', async () => {
  const service = await startTestService({ roles: ['ingestion', 'management'] });
  const { pool } = service.database;
  const user = await service.signUp();

  it('drops and counts the queued events of a deleted project, and stores those of others', async () => {
    const [doomed, other] = [await user.createProject(), await user.createProject()];
    const event = { type: 't', severity: 'INFO', message: 'm' };
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? doomed : other).ingest.post('/ingest/events', event),
      ),
    );
    await doomed.ingest.post('/ingest/bulk', [event, event]);
    // A poisoned event of a deleted project is dropped like its other events.
    await queueBatch(pool, doomed.id, [
      aQueuedEvent(doomed.id),
      { ...aQueuedEvent(doomed.id), severity: 'none' },
    ]);
    expect((await user.api.delete(`/projects/${doomed.id}`)).status).toBe(204);

    const worker = await startTestService({ roles: ['worker'], database: service.database });
    await processed(service);
    expect(await ledgerOf(user, other.id)).toEqual({ ...NO_EVENTS, accepted: 15, stored: 15 });
    const { rows } = await pool.query(
      'SELECT accepted, stored, duplicate, dead, dropped FROM ledgers WHERE project_id = $1',
      [uuidOf(doomed.id)],
    );
    expect(rows).toEqual([{ accepted: 19, stored: 0, duplicate: 0, dead: 0, dropped: 19 }]);
    for (const table of ['events', 'event_counts', 'dead_letters', 'incidents', 'risk_state']) {
      const left = await pool.query(`SELECT FROM ${table} WHERE project_id = $1`, [uuidOf(doomed.id)]);
      expect({ table, rows: left.rowCount }).toEqual({ table, rows: 0 });
    }
    expect((await user.api.get('/events')).body).toHaveLength(15);
    await worker.stop();
  });
});
