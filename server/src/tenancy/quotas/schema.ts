import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { NO_QUOTA, type QUOTA_LIMITS, Quota } from '../api-keys/quota.ts';

export const QuotaPatch = Type.Partial(Quota);
export type QuotaPatch = Static<typeof QuotaPatch>;

const LimitName = Type.Enum(Object.keys(NO_QUOTA) as typeof QUOTA_LIMITS);

const NamedKey = Type.Object({ id: Type.String(), name: Type.String() });

export const ProjectQuotas = Type.Object({
  quota: Quota,
  suggested: Type.Object(Quota.properties, {
    description:
      'Five times the 99th percentile of the past 30 days; null: no full period has passed yet. Periods of 5 minutes are a third of a quarter of an hour.',
  }),
  keys: Type.Array(
    Type.Object({
      ...NamedKey.properties,
      quota: Quota,
      isChosen: Type.Boolean({
        description: 'False: the quota is that of default, 3,000 events in 5 minutes for a key for browsers.',
      }),
    }),
  ),
  exceeded: Type.Array(
    Type.Object({
      key: Nullable(NamedKey),
      limit: LimitName,
      since: Timestamp,
      refused: Type.Integer({ description: 'Number of events that were refused since.' }),
    }),
    {
      description:
        'Limits that are exceeded now, or were in the period before; `key` is null for the project.',
    },
  ),
});
export type ProjectQuotas = Static<typeof ProjectQuotas>;
