import { readdir, rm } from 'node:fs/promises';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { TestClock } from '../support/clock.ts';
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
  const clock = new TestClock();
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
    await work();
    proxy.restore();
  };

  it('keeps the check-ins of envelopes on disk, and records each once as of its receipt', async () => {
    const project = await createDsnProject(service, user);
    const eventId = newEventId();
    expect((await project.sendItem('check_in', checkIn('known', 'ok'))).status).toBe(200);
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
    const seconds = (Date.parse(found.checkIns[0].at) - lostMs) / 1_000;
    expect(seconds).toBeLessThan(20);
    await waitFor('the spool to be empty', async () => (await readdir(directory)).length <= 1);
    const known = await historyOf(project.id, 'known');
    expect(known?.checkIns.map(({ status }: { status: string }) => status)).toEqual(['in_progress', 'ok']);
    await project.events(1);
  });
});
