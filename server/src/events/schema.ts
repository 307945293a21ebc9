import { type Static, Type } from 'typebox';
import { Cursor, IsoTime, JsonObject, Limit, Nullable, Timestamp } from '../http/schemas.ts';
import { ScrubCounts } from '../scrubbing/schema.ts';
import { SourceCause, SourceFrame } from '../source-maps/frames/schema.ts';
import { ExclusionFilter } from './exclusions.ts';
import { MAX_FILTER_VALUE_LENGTH, MAX_SEARCH_LENGTH } from './limits.ts';
import { Severity } from './severity.ts';

/** Parts of an event that its intake left out, shortened or corrected. */
const EventChange = Type.Enum(['breadcrumbs', 'clock', 'fields', 'frames', 'severity']);
export type EventChange = Static<typeof EventChange>;

export const Event = Type.Object({
  id: Type.String({ examples: ['evt_01h455vb4pex5vsknk084sn02q'] }),
  type: Type.String(),
  severity: Severity,
  source: Nullable(Type.String()),
  message: Type.String(),
  payload: JsonObject,
  correlation: JsonObject,
  correlationId: Type.String(),
  fingerprint: Type.String({ description: '16 hex characters: the same for events of the same kind.' }),
  groupId: Nullable(Type.String({ description: 'Null of what was stored before there were groups.' })),
  release: Nullable(Type.String()),
  environment: Type.String({
    description: 'Environment that the event named, else that of its project then.',
  }),
  projectId: Type.String(),
  organizationId: Type.String(),
  amount: Nullable(
    Type.Object(
      {
        value: Type.String({ description: 'In decimals.', examples: ['42.10'] }),
        currency: Type.String({ examples: ['EUR'] }),
        text: Type.String({ examples: ['€42.10'] }),
      },
      { description: 'Amount of a payment; null: none is known.' },
    ),
  ),
  capturedAt: Timestamp,
  receivedAt: Timestamp,
  changed: Type.Array(EventChange, {
    description:
      'Parts that were left out, shortened or corrected before the event was stored; empty for an event as sent.',
  }),
  scrubbed: ScrubCounts,
  weight: Type.Integer({
    description: 'Number of events that it stands for: more than 1 for a sample of a storm.',
  }),
});
export type Event = Static<typeof Event>;

/** An event that is read alone. */
export const WholeEvent = Type.Object({
  ...Event.properties,
  frames: Type.Array(SourceFrame, {
    description:
      'Frames of the payload in its order, innermost first, where uploaded source maps lead; those that no map knows are as they were sent.',
  }),
  causes: Type.Array(SourceCause, {
    description: 'Causes of the payload in its order, the root last, with their frames in the same way.',
  }),
});
export type WholeEvent = Static<typeof WholeEvent>;

/** An event of a list, which may come without its payload. */
export const ListedEvent = Type.Object({
  ...Event.properties,
  payload: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ ...JsonObject, description: 'Left out with `payload=omit`.' }),
  ),
});
export type ListedEvent = Static<typeof ListedEvent>;

export const EventFilter = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
  environment: Type.Optional(
    Type.String({ maxLength: 256, description: 'Environment of the event, in any of its spellings.' }),
  ),
  type: Type.Optional(Type.String({ maxLength: 1024 })),
  severity: Type.Optional(Severity),
  source: Type.Optional(Type.String({ maxLength: 1024 })),
  correlation_id: Type.Optional(Type.String({ maxLength: 4096 })),
  fingerprint: Type.Optional(Type.String({ maxLength: 256 })),
  release: Type.Optional(Type.String({ maxLength: 1024 })),
  group_id: Type.Optional(Type.String({ maxLength: 256 })),
  incident_id: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'The events that the incident counts (`eventCount`), or of what is missing those that came before it.',
    }),
  ),
  correlation: Type.Optional(
    Type.String({
      maxLength: MAX_FILTER_VALUE_LENGTH,
      description:
        'Events of whose correlation any key has this value. `correlation.KEY=VALUE` is about one key, and `payload.PATH=VALUE` about a value of the payload, such as `payload.cart.id` or `payload.items.0.sku`; at most 8 of these three together, `correlation!`, `correlation.KEY!=VALUE` and `payload.PATH!=VALUE` included, which say that an event must not have the value.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_LENGTH,
      description:
        'Words that the first 2,000 characters of the message hold, in any order and case. At most 8 different ones of 50 characters each.',
    }),
  ),
  from: Type.Optional(IsoTime),
  to: Type.Optional(IsoTime),
  ...ExclusionFilter.properties,
});

/** Parameters of a page of events. */
export const EventPageQuery = Type.Object({
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
  payload: Type.Optional(
    Type.Enum(['omit'], { description: 'Leaves out the payloads: for lists that do not show them.' }),
  ),
});

export const EventQuery = Type.Object({
  ...EventFilter.properties,
  ...EventPageQuery.properties,
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], {
      default: 'desc',
      description: 'Order by time: `asc` begins with the oldest.',
    }),
  ),
});

export const HistogramQuery = Type.Object({
  ...EventFilter.properties,
  interval: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 31 * 86_400,
      multipleOf: 60,
      description:
        'Seconds a bucket, in whole minutes. Default: the shortest usual one that gives at most 120 buckets.',
    }),
  ),
});

export const HistogramBucket = Type.Object({
  start: Timestamp,
  info: Type.Integer(),
  warn: Type.Integer(),
  error: Type.Integer(),
  critical: Type.Integer(),
});
export type HistogramBucket = Static<typeof HistogramBucket>;

export const CorrelationKeysQuery = Type.Object({
  ...EventFilter.properties,
  correlation: Type.String({ minLength: 1, maxLength: MAX_FILTER_VALUE_LENGTH, description: 'The value.' }),
});

export const CorrelationKey = Type.Object({
  key: Type.String(),
  count: Type.Integer({ description: 'The events with the value under this key.' }),
  firstCapturedAt: Timestamp,
  lastCapturedAt: Timestamp,
});
export type CorrelationKey = Static<typeof CorrelationKey>;

export const TopBy = Type.Enum(['type', 'source', 'fingerprint']);
export type TopBy = Static<typeof TopBy>;

export const TopValuesQuery = Type.Object({
  ...EventFilter.properties,
  by: TopBy,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
});

export const TopValue = Type.Object({
  value: Nullable(
    Type.String({
      description:
        'Null: the events without a source; of fingerprints, those of all kinds beyond the bound on new groups.',
    }),
  ),
  label: Nullable(
    Type.String({
      description:
        'The message of the newest event, at most 300 characters of it; null but for fingerprints.',
    }),
  ),
  groupId: Nullable(
    Type.String({ description: 'For fingerprints that were counted in groups; null for any other value.' }),
  ),
  severity: Type.Unsafe<Severity>({ ...Severity, description: 'The worst.' }),
  count: Type.Integer(),
  sparkline: Type.Array(Type.Integer(), {
    description: 'The count in 24 equal parts of the range, oldest first.',
    minItems: 24,
    maxItems: 24,
  }),
});
export type TopValue = Static<typeof TopValue>;
