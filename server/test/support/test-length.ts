/** True in `npm run test:long`, with the full number of fuzz rounds, seeds and property runs. */
export const longForm = process.env.TOCSIN_TEST_LONG === '1';

/** @returns the number of rounds: few in `npm test`, many in `npm run test:long` */
export function rounds(short: number, long: number): number {
  return longForm ? long : short;
}
