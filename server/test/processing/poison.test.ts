import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import {
  aQueuedEvent,
  countsOf,
  ledgerOf,
  NO_EVENTS,
  processed,
  queueBatch,
  storeBatch,
  uuidOf,
} from './support.ts';

type Changes = (event: Record<string, unknown>) => unknown;

const POISON: [string, Changes, string][] = [
  ['with a NUL in its message', (event) => ({ ...event, message: 'a\0b' }), '22P05'],
  ['with a NUL in its payload', (event) => ({ ...event, payload: { a: ['\0'] } }), '22P05'],
  ['with a lone surrogate', (event) => ({ ...event, message: '\ud800' }), '22P02'],
  ['whose id is no UUID', (event) => ({ ...event, id: 'evt_1' }), '22P02'],
  ['without an id', ({ id: _id, ...event }) => event, '23502'],
  [
    'whose id names a time far from its receipt',
    (event) => ({ ...event, id: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' }),
    '23514',
  ],
  ['whose project is no UUID', (event) => ({ ...event, projectId: 'proj_1' }), '22P02'],
  ['of a severity that does not exist', (event) => ({ ...event, severity: 'fatal' }), '22P02'],
  ['without a message', (event) => ({ ...event, message: null }), '23502'],
  ['received at no time', (event) => ({ ...event, receivedAt: 'no time' }), '22007'],
  ['whose type is too long to be indexed', (event) => ({ ...event, type: longText(9_000) }), '54000'],
  ['that is no object', () => 5, '22023'],
  ['that is null', () => null, '22023'],
];

/** Returns a text without repetition: it cannot be compressed, so its length counts. */
function longText(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000))).join(
    '',
  );
}

describe('a poisoned event', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();
  const lettersOf = async (projectId: string) => {
    const { rows } = await pool.query<{ event: string; sqlState: string; reason: string }>(
      'SELECT event, sql_state AS "sqlState", reason FROM dead_letters WHERE project_id = $1',
      [uuidOf(projectId)],
    );
    return rows;
  };

  it.each(POISON)(
    'stores %s as a dead letter, and all others of its batch',
    async (_what, change, sqlState) => {
      const { id, ingest } = await user.createProject();
      const good = Array.from({ length: 20 }, () => aQueuedEvent(id));
      const bad = change({ ...aQueuedEvent(id) });
      await queueBatch(pool, id, [...good.slice(0, 13), bad, ...good.slice(13)]);
      // Batches behind it do not wait forever.
      const behind = await ingest.post('/ingest/events', { type: 't', severity: 'INFO', message: 'behind' });
      await processed(service);

      const letters = await lettersOf(id);
      expect(letters).toEqual([{ event: JSON.stringify(bad), sqlState, reason: expect.stringMatching(/./) }]);
      expect(await countsOf(pool, id)).toEqual({ events: 21, distinct: 21, counted: 21 });
      expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 22, stored: 21, dead: 1 });
      const job = await ingest.get(`/ingest/jobs/${behind.body.jobId}`);
      expect(job.body.status).toBe('processed');
    },
  );

  it('isolates a poisoned event from the events of another project', async () => {
    const [one, two] = [await user.createProject(), await user.createProject()];
    const events = [
      aQueuedEvent(one.id),
      { ...aQueuedEvent(two.id), severity: 'none' },
      aQueuedEvent(two.id),
    ];
    await pool.query('INSERT INTO queue (bytes, deltas, events) VALUES (1, $1, $2)', [
      JSON.stringify({
        [uuidOf(one.id)]: { accepted: 3, duplicate: 2 },
        [uuidOf(two.id)]: { accepted: 2, duplicate: 0 },
      }),
      JSON.stringify(events),
    ]);
    await processed(service);
    expect(await ledgerOf(user, one.id)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 1, duplicate: 2 });
    expect(await ledgerOf(user, two.id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 1, dead: 1 });
  });

  it('keeps as many dead letters as there are poisoned events', async () => {
    const { id } = await user.createProject();
    const bad = Array.from({ length: 7 }, () => ({ ...aQueuedEvent(id), severity: 'none' }));
    await storeBatch(service, id, [...bad, aQueuedEvent(id)]);
    expect(await lettersOf(id)).toHaveLength(7);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 8, stored: 1, dead: 7 });
  });

  it.each(['no JSON at all', '{"id":', '{}', '"text"'])(
    'does not let an event that breaks its whole batch (%s) block the queue',
    async (text) => {
      const { id, ingest } = await user.createProject();
      await queueBatch(pool, id, text);
      await ingest.post('/ingest/events', { type: 't', severity: 'INFO', message: 'behind' });
      await processed(service);
      expect(await lettersOf(id)).toMatchObject([{ event: text }]);
      expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 1, dead: 1 });
    },
  );
});
