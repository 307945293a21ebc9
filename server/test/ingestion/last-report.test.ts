import { expect, it } from 'vitest';
import { uuidOf } from '../processing/support.ts';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { anEvent } from './support.ts';

const clock = new StillClock(Date.UTC(2026, 10, 21, 9, 32));
const database = await createTestDatabase();
const { pool } = database;
const service = await startTestService({ clock, database, roles: ['management'] });
const user = await service.signUp();

/** Sends to a process, which ends then: as many events as its quota takes, and two more. */
async function endAfterRequests(end = ({ stop }: Pick<TestService, 'stop'>) => stop()) {
  const { id, apiKey } = await user.createProject();
  await user.api.patch(`/projects/${id}/quotas`, { per5Minutes: 300 });
  const ending = await startTestService({ clock, database, roles: ['ingestion'] });
  const ingest = new ApiClient(ending.ingestionUrl, { 'x-api-key': apiKey });
  for (const events of [[anEvent()], Array(300).fill(anEvent()), [anEvent()]])
    await ingest.post('/ingest/bulk', events);
  const isClean = await end(ending);
  const { rows } = await pool.query(
    `SELECT (SELECT sum(quantity)::int FROM request_counts WHERE project_id = $1) AS requests,
      (SELECT count(*)::int FROM request_samples WHERE project_id = $1) AS samples,
      (SELECT sum(granted)::int FROM quota_windows WHERE project_id = $1) AS granted,
      (SELECT sum(refused)::int FROM quota_windows WHERE project_id = $1) AS refused,
      (SELECT count(*)::int FROM api_keys WHERE project_id = $1 AND last_used_at IS NOT NULL) AS keys`,
    [uuidOf(id)],
  );
  const unstored = (await user.api.get(`/projects/${id}/ledger`)).body.unstored;
  return { isClean, counts: rows[0], unstored };
}

const COUNTS = { requests: 3, samples: 2, granted: 300, refused: 2, keys: 1 };

it('writes what it has counted of requests, quotas and keys when it ends', async () => {
  expect(await endAfterRequests()).toEqual({
    isClean: true,
    counts: COUNTS,
    unstored: [{ kind: 'event', reason: 'over_quota', quantity: 2 }],
  });
});

it('writes what else it has counted when a part of its last report fails, and does not end cleanly', async () => {
  const rename = (from: string, to: string) => pool.query(`ALTER TABLE ${from} RENAME TO ${to}`);
  const { isClean: wasClean, counts } = await endAfterRequests(async ({ stop }) => {
    await rename('intake_presence', 'other_presence');
    const isClean = await stop();
    await rename('other_presence', 'intake_presence');
    return isClean;
  });
  expect({ wasClean, counts }).toEqual({ wasClean: false, counts: COUNTS });
});
