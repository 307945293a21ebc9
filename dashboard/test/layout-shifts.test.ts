import { expect, it } from 'vitest';
import { rounds } from '../../server/test/support/test-length.ts';
import { startTestService, visit } from './support/browser.ts';
import { addShiftRecorder, findShifts, wasLate } from './support/find-shifts.ts';
import { goTo, PLACES } from './support/places.ts';
import { seed } from './support/seed.ts';

/** Maximum loads of a place until its data is there in time. */
const MAX_LOADS = 5;

const service = await startTestService();
const user = await service.signUp();
const seeded = await seed(service, user);
const inside = await visit(service, user);
const outside = await visit(service, null);
for (const { context } of [inside, outside]) await addShiftRecorder(context);

/** Places that an address alone leads to: a third of them in the short form. */
const ADDRESSES = PLACES.filter(({ act }) => !act).filter((_, place) => place % rounds(3, 1) === 0);

it.each(ADDRESSES)('moves nothing by itself while the place $name is loaded', async (place) => {
  const { page } = place.outside ? outside : inside;
  await goTo(page, place, seeded);
  // A page does not wait for data that is late: on a machine that is busy just now, another load is not.
  for (let loads = 1; loads < MAX_LOADS && (await wasLate(page)); loads++) await goTo(page, place, seeded);
  expect(await findShifts(page)).toEqual([]);
});
