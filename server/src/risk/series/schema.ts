import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { RiskSeries } from '../../incidents/evidence-schema.ts';

const OpeningCounts = Type.Object({
  stepSeconds: Type.Integer({
    description:
      'The window consists of steps of this length, the one that runs among them: of 60 seconds, and for series below one event a minute of 1,800, 7,200 and 21,600 as well, counted from midnight UTC.',
  }),
  windowSeconds: Type.Integer(),
  expected: Type.Number({ description: 'Events that are expected in the window.' }),
  rise: Nullable(
    Type.Integer({ description: 'So many events or more open an incident; null: no count does.' }),
  ),
  drop: Nullable(
    Type.Integer({ description: 'So many events or fewer open an incident; null: not even none does.' }),
  ),
});

const Share = Type.Object({
  of: Type.Unsafe<'payments' | 'traffic'>({
    enum: ['payments', 'traffic'],
    description:
      'Denominator of the share: payments, or the events of severity info and warn of the same source, or of the project if the source has none.',
  }),
  usualShare: Type.Number({ description: 'Failures for one event, usually: 0.03 are 3 of 100.' }),
  opening: Type.Array(
    Type.Object({
      windowSeconds: Type.Integer(),
      events: Type.Integer({
        description: 'Payments of the window, with those that failed; of errors, the traffic beside them.',
      }),
      failures: Type.Integer({
        description:
          'So many failures or more open an incident if they are spread over the window: of those of one minute fewer may count.',
      }),
    }),
    {
      description: 'Shares by the length of the window that ends now; none for windows with too few events.',
    },
  ),
});

const NextSilence = Type.Object({
  expected: Type.Number({ description: 'Events that were expected since the last one.' }),
  threshold: Type.Number({ description: 'The silence is overdue where more than so many were expected.' }),
  dueAt: Nullable({
    ...Timestamp,
    description:
      'Time at which a silence is overdue at the usual rates of these hours; null: not within four weeks.',
  }),
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
      'Counts that would open an incident right now, by step and by the length of the window that ends now, the shortest first. Empty while the series is too young to be evaluated, and for failed payments: see `share`.',
  }),
  share: Type.Unsafe<Static<typeof Share> | null>({
    ...Share,
    type: ['object', 'null'],
    description: 'Set for failed payments, and for errors that come beside enough traffic.',
  }),
  silence: Type.Unsafe<Static<typeof NextSilence> | null>({
    ...NextSilence,
    type: ['object', 'null'],
    description:
      'Set for a series below one event a minute, other than errors, that is known for long enough.',
  }),
  heartbeat: Type.Unsafe<{ everySeconds: number; dueAt: string } | null>({
    ...Type.Object({
      everySeconds: Type.Integer({ description: 'The mean time between two events.' }),
      dueAt: { ...Timestamp, description: 'Time at which the sender is overdue without an event.' },
    }),
    type: ['object', 'null'],
    description: 'Set for a regular sender.',
  }),
});

/** State of a project's watched series. */
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
