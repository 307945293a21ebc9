import { readdir, rm } from 'node:fs/promises';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/network-proxy.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { createDsnProject, envelopeOf, newEventId } from './envelopes/support.ts';

describe('a loss of the database', { timeout: scaled(60_000) }, async () => {
  const directory = await makeScratchDirectory();
  atEnd(() => rm(directory, { recursive: true }));
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.connectionString);
  const clock = new StillClock();
  const service = await startTestService({
    clock,
    database: { ...database, connectionString: proxy.url },
    environment: { SPOOL_DIR: directory },
  });
  const user = await service.signUp();
  const checkIn = (slug: string, status: string, changes = {}) => ({
    monitor_slug: slug,
    status,
    monitor_config: { schedule: { type: 'interval', value: 1, unit: 'hour' } },
    ...changes,
  });
  const historyOf = async (projectId: string, slug: string) => {
    const { body } = await user.api.get(`/projects/${projectId}/schedules`);
    const schedule = body.find((other: { slug: string }) => other.slug === slug);
    if (!schedule) return null;
    return {
      schedule,
      checkIns: (await user.api.get(`/projects/${projectId}/schedules/${schedule.id}/check-ins`)).body,
    };
  };
  /** Loses the database, and restores it once the work is done. */
  const lose = async (work: () => Promise<void>) => {
    proxy.refuse();
    try {
      await work();
    } finally {
      proxy.restore();
    }
  };

  const health = new ApiClient(service.ingestionUrl);
  /** Resolves to the bytes on disk once the metrics, which are formatted once a second, show so many events. */
  const bytesOf = (events: number) =>
    waitFor(`${events} events on disk`, async () => {
      const text = await (await fetch(`${service.ingestionUrl}/metrics`)).text();
      const read = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
      return read('tocsin_spool_events') === events && { bytes: read('tocsin_spool_bytes') };
    });

  it('stays ready, says since when it keeps events on disk and how many, and keeps a batch of OTLP after five seconds', async () => {
    const project = await createDsnProject(service, user);
    expect((await project.sendItem('event', { message: 'Order 1' })).status).toBe(200);
    const record = { severityNumber: 17, body: { stringValue: 'Order 3' } };
    const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
    expect((await project.ingest.post('/v1/logs', logs)).status).toBe(200);
    const wasReady = await health.get('/readyz');
    expect([wasReady.status, wasReady.body]).toEqual([200, { status: 'ok' }]);
    await lose(async () => {
      expect((await project.sendItem('event', { message: 'Order 2' })).status).toBe(200);
      const spoolingSince: string = await waitFor('the time to be said', async () => {
        const { status, body } = await health.get('/readyz');
        expect([status, body.status]).toEqual([200, 'ok']);
        if (body.spoolingSince) expect(body.reason).toBe('The database does not answer.');
        return body.spoolingSince;
      });
      expect(Date.parse(spoolingSince)).toBe(clock.now());
      const { bytes } = await bytesOf(1);
      expect(bytes).toBeGreaterThan(100);

      clock.advance(4_999);
      expect((await project.ingest.post('/v1/logs', logs)).status).toBe(503);
      clock.advance(1);
      expect((await project.ingest.post('/v1/logs', logs)).status).toBe(200);
      expect((await bytesOf(2)).bytes).toBeGreaterThan(bytes);
    });
    await project.events(4);
    expect(await bytesOf(0)).toEqual({ bytes: 0 });
    await waitFor(
      'the outage to be over',
      async () => !('spoolingSince' in (await health.get('/readyz')).body),
    );
  });

  it('keeps the check-ins of envelopes on disk, and records each once as of its receipt', async () => {
    const project = await createDsnProject(service, user);
    const eventId = newEventId();
    expect((await project.sendItem('check_in', checkIn('known', 'ok'))).status).toBe(200);
    // Check-ins of one millisecond have no order.
    clock.advance(1_000);
    const lostMs = clock.now();
    await lose(async () => {
      const both = envelopeOf(
        { event_id: eventId },
        [{ type: 'event' }, { message: 'Order 1' }],
        [{ type: 'check_in' }, checkIn('known', 'in_progress', { check_in_id: newEventId() })],
      );
      expect((await project.send('envelope', both)).status).toBe(200);
      clock.advance(1_000);
      expect((await project.sendItem('check_in', checkIn('new', 'error'))).status).toBe(200);
      clock.advance(30_000);
    });
    const found = await waitFor('the check-ins to be recorded', () => historyOf(project.id, 'new'));
    expect(found.schedule).toMatchObject({ status: 'failing', lastStatus: 'error' });
    expect(found.checkIns).toHaveLength(1);
    expect(Date.parse(found.checkIns[0].at) - lostMs).toBe(1_000);
    await waitFor('the spool to be empty', async () => (await readdir(directory)).length <= 1);
    const known = await historyOf(project.id, 'known');
    expect(known?.checkIns.map(({ status }: { status: string }) => status)).toEqual(['in_progress', 'ok']);
    await project.events(1);
  });
});
