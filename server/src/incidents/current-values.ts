import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../http/schemas.ts';
import { NullableReleaseShare, RiskSeries } from './evidence-schema.ts';
import type { Lead } from './lead-schema.ts';
import type { StoredEvidence } from './stored-evidence.ts';

/** Values of a series that are observed now. */
const CurrentValues = {
  observed: Type.Integer({ description: 'Events in the window; of failed payments, those that failed.' }),
  perMinute: Type.Number(),
  expected: Nullable(
    Type.Number({
      description: 'Count in as long a window when the alarm opened; null for rules and shares.',
    }),
  ),
  trend: Type.Enum(['rising', 'steady', 'falling'], {
    description:
      'The later half of the last ten minutes, or of those since `since`, against the earlier one; in its first two minutes against the time before.',
  }),
};

export const CurrentSchema = Type.Object({
  at: Timestamp,
  windowSeconds: Type.Integer({
    description: 'The last five minutes, or those since `since`: one at least.',
  }),
  ...CurrentValues,
  peak: Type.Unsafe<{ perMinute: number; at: string } | null>({
    ...Type.Object({ perMinute: Type.Number(), at: Timestamp }),
    type: ['object', 'null'],
    description:
      'The minute with the most events since it began, in the last day; of what is missing, the fewest.',
  }),
  share: Nullable(
    Type.Number({
      description:
        'Percentage: errors among the events of the same source, or failed payments among payments.',
    }),
  ),
  release: NullableReleaseShare,
  series: Type.Array(Type.Object({ ...RiskSeries.properties, ...CurrentValues }), {
    description:
      'The same of attached series, each since it became unusual; at most 8, and none of kind `new_kind`, whose events have no counts of their own.',
  }),
});
export type Current = Static<typeof CurrentSchema>;

/** The part of an incident that its current values depend on; all ids are UUIDs. */
export interface FollowedIncident {
  id: string;
  organizationId: string;
  projectId: string;
  evidence: StoredEvidence | null;
  lead: Lead;
  since: Date;
  isResolved: boolean;
}

/** Computes the current values of an open incident. @returns null for any other, and if they are not known */
export type ReadCurrent = (incident: FollowedIncident) => Promise<Current | null>;
