import { expect, it } from 'vitest';
import { WEEK_MS } from '../../src/platform/durations.ts';
import { moveWeek, readEveryList, takeBack } from './read-pages.ts';
import { MONDAY_MS, startSpan, WEEKS } from './span-service.ts';

it('answers every page alike at five positions of the boundary, events of one millisecond included', async () => {
  const { pool, archive, tenant, newest, events } = await startSpan();
  const expected = await readEveryList(newest, tenant);
  expect(await readEveryList(events, tenant)).toEqual(expected);
  for (let week = 0; week < WEEKS; week++) {
    await moveWeek(pool, archive, MONDAY_MS + week * WEEK_MS);
    expect(await readEveryList(events, tenant)).toEqual(expected);
  }
  // Late events of weeks that moved are in PostgreSQL until they follow.
  await takeBack(pool, archive, tenant.organizationId);
  expect(await readEveryList(events, tenant)).toEqual(expected);
});
