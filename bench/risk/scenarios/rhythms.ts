const DAY = 1_440;
/** Share of the rate of working hours. */
export const OFFICE_AT_NIGHT = 0.02;

/** Where a minute lies: counted from the midnight before a Monday. */
type Rhythm = (minute: number) => number;
export type RhythmName = keyof typeof RHYTHMS;

const isWeekend = (minute: number) => Math.floor(minute / DAY) % 7 >= 5;

/** Between 0 at four in the morning and 1 at four in the afternoon. */
function daylight(minute: number): number {
  return (1 - Math.cos((2 * Math.PI * (minute - DAY / 6)) / DAY)) / 2;
}

/** Factors of the mean rate. */
export const RHYTHMS = {
  flat: () => 1,
  /** Eight times as many in the afternoon as at night, a fifth less at weekends. */
  shop: (minute) => (0.2 + 1.4 * daylight(minute)) * (isWeekend(minute) ? 0.85 : 1.06),
  /** Four times as many in the afternoon as at night. */
  mild: (minute) => 0.4 + 1.2 * daylight(minute),
  /** From eight to five on working days, with hard edges. */
  office: (minute) => {
    const hour = (minute % DAY) / 60;
    return !isWeekend(minute) && hour >= 8 && hour < 17 ? 1 : OFFICE_AT_NIGHT;
  },
} satisfies Record<string, Rhythm>;
