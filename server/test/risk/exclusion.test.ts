import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import {
  evaluatedUntil,
  incidentsCounting,
  incidentsOf,
  insertInboxRow,
  passTime,
  sendEvents,
} from './support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('a project whose detector fails', { timeout: scaled(120_000) }, async () => {
  const clock = new StillClock(middleOf(MINUTE_MS));
  const service = await startTestService({ clock });
  const { pool } = service.database;
  const user = await service.signUp();

  /** A count on which a detector throws, as after a bug in this program. */
  const breakDetector = async (projectId: string) => {
    const kind = { projectId: toUuid('proj', projectId), fingerprint: null, atMs: clock.now() };
    const delta = {
      projectId: kind.projectId,
      type: 'a',
      severity: 'info',
      source: null,
      bucketMs: clock.now(),
      count: 1,
      lastMs: clock.now(),
    };
    await insertInboxRow(pool, [delta], [kind]);
  };
  const stateOf = async (projectId: string) =>
    (await user.api.get(`/projects/${projectId}/risk/state`)).body as {
      paused: { failures: number; failedAt: string; retryAt: string } | null;
    };
  const untilExcluded = (projectId: string) =>
    waitFor('the project to be excluded', async () => (await stateOf(projectId)).paused);

  it('excludes a project whose detector fails alone, shows and counts it, and retries after a growing delay', async () => {
    const [broken, sound] = [await user.createProject(), await user.createProject()];
    expect(await stateOf(broken.id)).toMatchObject({ paused: null });
    await sendEvents(broken.ingest, 20);
    const [leftOpen] = await incidentsCounting(user, broken.id, [20]);
    await breakDetector(broken.id);
    const first = await untilExcluded(broken.id);
    expect(first.failures).toBe(1);
    expect(Date.parse(first.retryAt) - Date.parse(first.failedAt)).toBe(MINUTE_MS);
    service.wake('observing the queue');
    await waitFor('the metric to say so', async () => {
      const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
      return metrics.includes('tocsin_risk_projects_excluded 1');
    });

    // Nothing of this project is evaluated, everything of the other one.
    await sendEvents(broken.ingest, 30);
    await sendEvents(sound.ingest, 20);
    await incidentsCounting(user, sound.id, [20]);
    expect(await incidentsOf(user, broken.id)).toMatchObject([{ id: leftOpen.id }]);

    await passTime(service, clock, 2 * MINUTE_MS);
    await evaluatedUntil(service, clock.now() - 5_000);
    expect(await stateOf(broken.id)).toMatchObject({ paused: null });
    await sendEvents(broken.ingest, 40);
    const incidents = await waitFor('the next incident', async () => {
      const found = await incidentsOf(user, broken.id);
      return found.length === 2 && found;
    });
    for (const { eventCount } of incidents) expect(eventCount).toBeGreaterThanOrEqual(40);
    expect(incidents.map(({ status }: { status: string }) => status)).toEqual(['open', 'resolved']);

    await breakDetector(broken.id);
    const second = await untilExcluded(broken.id);
    expect(second.failures).toBe(2);
    expect(Date.parse(second.retryAt) - Date.parse(second.failedAt)).toBe(2 * MINUTE_MS);
  });

  it('restarts with the shortest delay after a day without failure', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 1);
    await breakDetector(id);
    await untilExcluded(id);
    await pool.query(`UPDATE risk_excluded_projects SET failures = 30`);
    await pool.query('UPDATE risk_excluded_projects SET retry_at = $1', [new Date(clock.now() - 1_000)]);
    await breakDetector(id);
    const { failedAt, retryAt } = await untilExcluded(id);
    expect(Date.parse(retryAt) - Date.parse(failedAt)).toBe(6 * HOUR_MS);

    await pool.query('UPDATE risk_excluded_projects SET retry_at = $1', [
      new Date(clock.now() - DAY_MS - 1_000),
    ]);
    await service.maintain();
    await breakDetector(id);
    expect((await untilExcluded(id)).failures).toBe(1);
  });
});

const TYPES = rounds(40_000, 200_000);

describe('a project with tens of thousands of distinct types that no leader has evaluated', {
  timeout: scaled(120_000),
}, async () => {
  const service = await startTestService({ roles: ['ingestion', 'management'] });
  const { pool } = service.database;
  const user = await service.signUp();

  it('keeps detection of other projects running beside a project with tens of thousands of types', async () => {
    const [storm, shop] = [await user.createProject(), await user.createProject()];
    const bucketMs = Math.floor(service.context.clock.now() / 5_000) * 5_000;
    await pool.query(
      `INSERT INTO risk_inbox (deltas, entries, from_ms)
        SELECT jsonb_agg(jsonb_build_object('projectId', $1::text, 'type', 'type-' || n, 'severity', 'info',
          'source', 'web', 'bucketMs', $2::bigint, 'count', 1, 'lastMs', $2::bigint)), count(*), $2
        FROM generate_series(1, $3::int) AS n GROUP BY n / 10000 ORDER BY 1`,
      [toUuid('proj', storm.id), bucketMs, TYPES],
    );
    const rows = [{ type: 'checkout', severity: 'error', source: 'shop' }].map((series) => ({
      projectId: toUuid('proj', shop.id),
      ...series,
      bucketMs,
      count: 300,
      lastMs: bucketMs,
    }));
    await insertInboxRow(pool, rows);
    const worker = await startTestService({ roles: ['worker'], database: service.database });
    await waitFor('the incident of what was counted', async () => {
      const [incident] = await incidentsOf(user, shop.id);
      return incident?.evidence.observed === 300;
    });
    const { rows: rounds } = await pool.query<{ series: number }>(
      `SELECT max((SELECT count(DISTINCT delta ->> 'type') FROM jsonb_array_elements(counts.value) AS delta)) AS series
        FROM risk_rounds CROSS JOIN LATERAL jsonb_each(round::jsonb -> 'counts') AS counts`,
    );
    expect(rounds[0]?.series).toBeLessThanOrEqual(501);
    await worker.stop();
  });
});
