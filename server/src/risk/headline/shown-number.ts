const DIGITS = 4;

/** Rounds an expected value: it is an estimate, whose further digits would be noise. */
export function toShownNumber(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
