const DIGITS = 4;

/** What is expected is an estimate: its further digits would be noise. */
export function toShownNumber(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
