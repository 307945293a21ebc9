import fc from 'fast-check';
import { expect } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/platform/durations.ts';
import { isoTime, minuteOf } from '../../src/platform/time.ts';
import type { TestService, TestUser } from '../support/service.ts';

export const SEVERITIES = ['info', 'warn', 'error', 'critical'] as const;

/** Sends 400 random events of the last three hours to two new projects, and describes random questions about them. */
export async function sendRandomEvents(service: TestService, user: TestUser, seed: number) {
  const projects = [await user.createProject('Shop'), await user.createProject('Site')];
  const endMs = minuteOf(service.context.clock.now());
  const startMs = endMs - 3 * HOUR_MS;
  const at = (minute: number, ms = 0) => isoTime(startMs + minute * MINUTE_MS + ms);
  // Many on the boundaries of minutes, where an off-by-one error would show.
  const timeBetween = (min: number, max: number) =>
    fc
      .tuple(fc.integer({ min, max }), fc.constantFrom(0, 1, 2, 30_000, 59_998, 59_999))
      .map(([minute, ms]) => at(minute, ms));
  const events = fc.sample(
    fc.record(
      {
        type: fc.constantFrom('checkout', 'manual', 'login'),
        severity: fc.constantFrom('INFO', 'WARN', 'ERROR', 'CRITICAL'),
        message: fc.constantFrom('Kasse voll', 'Kasse leer', `Kasse ${'sehr '.repeat(100)}alt`),
        capturedAt: timeBetween(0, 179),
        source: fc.constantFrom('api', 'web'),
        correlation: fc.constantFrom({ order_id: 'a' }, { order_id: 'b' }),
      },
      { requiredKeys: ['type', 'severity', 'message', 'capturedAt'] },
    ),
    { numRuns: 400, seed },
  );
  for (const [index, project] of projects.entries()) {
    const half = events.filter((_event, place) => place % 2 === index);
    expect((await project.ingest.post('/ingest/bulk', half)).status).toBe(202);
  }
  await service.settled();
  const [{ fingerprint }] = (await user.api.get('/events?limit=1')).body;
  const filters = {
    project_id: fc.constantFrom(...projects.map(({ id }) => id), 'proj_01h455vb4pex5vsknk084sn02q'),
    type: fc.constantFrom('checkout', 'manual', 'other'),
    severity: fc.constantFrom(...SEVERITIES),
    source: fc.constantFrom('api', 'web', ''),
    correlation_id: fc.constantFrom('a', 'b'),
    fingerprint: fc.constant<string>(fingerprint),
    q: fc.constantFrom('kasse', 'voll', 'leer kasse'),
  };
  return { projects, events, startMs, endMs, at, time: timeBetween(-10, 190), filters };
}
