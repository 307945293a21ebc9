import { type Static, Type } from 'typebox';
import { Cursor, Limit, Nullable, Timestamp } from '../../http/schemas.ts';
import { RiskSeries } from '../../incidents/evidence-schema.ts';

export const DecisionOutcome = Type.Enum(
  ['opened', 'joined', 'suppressed', 'closed', 'resolved', 'left_open'],
  {
    description:
      '`closed`: one of the alarms of an incident is over. `resolved`: all are. `left_open`: all are, but a user investigates.',
  },
);
export type DecisionOutcome = Static<typeof DecisionOutcome>;

/**
 * Reason for which something unusual opened nothing. `declared`: a schedule expects the events in place of their
 * heartbeat.
 */
const SUPPRESSIONS = [
  'small_effect',
  'hour_of_week',
  'recovery',
  'fewer_errors',
  'new_kinds_are_usual',
  'late',
  'declared',
] as const;
export type Suppression = (typeof SUPPRESSIONS)[number];

export const Decision = Type.Object({
  id: Type.String({ examples: ['dec_01h455vb4pex5vsknk084sn02q'] }),
  at: Timestamp,
  outcome: DecisionOutcome,
  reason: Type.Unsafe<Suppression | null>({ enum: [...SUPPRESSIONS, null] }),
  sentence: Type.String(),
  series: Type.Unsafe<RiskSeries | null>({ ...RiskSeries, type: ['object', 'null'] }),
  observed: Nullable(Type.Number()),
  expected: Nullable(Type.Number()),
  windowSeconds: Nullable(Type.Number()),
  incidentId: Nullable(Type.String()),
});
export type Decision = Static<typeof Decision>;

export const DecisionQuery = Type.Object({
  outcome: Type.Optional(DecisionOutcome),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});
