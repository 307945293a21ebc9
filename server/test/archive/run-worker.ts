import { expect, it } from 'vitest';
import { findArchiveState } from '../../src/events/archive/block-queries.ts';
import { WEEK_MS } from '../../src/platform/durations.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { startArchive } from './engine.ts';
import { COUNT, countEverywhere, fillWeeks, MONDAY_MS } from './filled-weeks.ts';

const { copy } = await fillWeeks();

it('moves in the worker what is over, with ages counted from the newest event of a restored backup', async () => {
  const { archive, engine } = await startArchive();
  const database = await copy();
  const environment = { ARCHIVE_URL: `${engine.url}/default`, RETENTION_DAYS: '3650' };
  const service = await startTestService({ roles: ['worker'], database, environment });
  const untilMs = await waitFor('the first week in the archive', async () => {
    service.wake('archive');
    return (await findArchiveState(database.pool))?.archivedUntil?.getTime();
  });
  expect(untilMs).toBe(MONDAY_MS + WEEK_MS);
  expect(await countEverywhere(database.pool, archive)).toEqual({
    database: (2 * COUNT) / 3,
    archive: COUNT / 3,
    different: COUNT / 3,
  });
  await service.stop();
});
