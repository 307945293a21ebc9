/** True in `npm run test:long`: fuzz rounds, seeds and property runs in their full number. */
export const longForm = process.env.TOCSIN_TEST_LONG === '1';

/** @returns the number of rounds: few in `npm test`, many in `npm run test:long` */
export function rounds(short: number, long: number): number {
  return longForm ? long : short;
}
