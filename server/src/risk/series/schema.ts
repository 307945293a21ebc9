import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { RiskSeries } from '../../incidents/schema.ts';

const OpeningCounts = Type.Object({
  windowSeconds: Type.Integer(),
  expected: Type.Number({ description: 'Events that are expected in the window.' }),
  rise: Nullable(
    Type.Integer({ description: 'So many events or more open an incident; null: no count does.' }),
  ),
  drop: Nullable(
    Type.Integer({ description: 'So many events or fewer open an incident; null: not even none does.' }),
  ),
});

const WatchedSeries = Type.Object({
  series: RiskSeries,
  perMinute: Type.Number({ description: 'The learned rate: events a minute that are expected now.' }),
  dispersion: Type.Number({
    description: 'Variance over mean of the counts, at least 1, the value of independent events.',
  }),
  lastEventAt: Nullable(Timestamp),
  opening: Type.Array(OpeningCounts, {
    description:
      'What would open an incident right now, by the length of the window that ends now, the shortest first. Empty while the series is too young to be evaluated.',
  }),
  heartbeat: Type.Unsafe<{ everySeconds: number; dueAt: string } | null>({
    ...Type.Object({
      everySeconds: Type.Integer({ description: 'The mean time between two events.' }),
      dueAt: { ...Timestamp, description: 'Without an event until then, the sender is overdue.' },
    }),
    type: ['object', 'null'],
    description: 'Set for a regular sender.',
  }),
});

/** How the series of a project are watched. */
export const WatchedSeriesList = Type.Object({
  at: Nullable({
    ...Timestamp,
    description: 'The end of the last evaluated minute; null: nothing is watched yet.',
  }),
  series: Type.Array(WatchedSeries, {
    description: 'Sums first, then the most frequent first; at most 506.',
  }),
});
export type WatchedSeriesList = Static<typeof WatchedSeriesList>;
