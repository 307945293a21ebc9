import { type Static, Type } from 'typebox';
import { WholeEvent } from '../events/schema.ts';
import { Nullable, Timestamp } from '../http/schemas.ts';
import { PROTOCOLS } from '../ingestion/requests/protocols.ts';
import { MAX_ID_LENGTH } from './limits.ts';

const Protocol = Type.Enum([...PROTOCOLS], {
  description: '`hooks` are signed requests of other services; `other` is an address that nothing takes.',
});
const Reason = Type.String({ description: 'Code of the error.', examples: ['invalid_api_key'] });
const KeyName = Nullable(Type.String({ description: 'Name of the key or the hook; null: it is not known.' }));
const KeyPrefix = Nullable(
  Type.String({ description: 'Leading characters of the key.', examples: ['tsn_live_4fT9x'] }),
);

const KeyRequests = Type.Object({
  protocol: Protocol,
  keyId: Nullable(Type.String()),
  keyName: KeyName,
  keyPrefix: KeyPrefix,
  isRevoked: Type.Boolean({ description: 'True for a key that was revoked, or a hook that was deleted.' }),
  accepted: Type.Integer(),
  lastAcceptedAt: Nullable(Timestamp),
  refused: Type.Integer(),
  refusals: Type.Array(Type.Object({ reason: Reason, quantity: Type.Integer(), lastAt: Timestamp }), {
    description: 'Most frequent first.',
  }),
});

const Sample = Type.Object({
  at: Timestamp,
  protocol: Protocol,
  method: Type.String(),
  path: Type.String({ description: 'Path without secrets, ids and values of the query.' }),
  status: Type.Integer(),
  reason: Nullable(Reason),
  detail: Nullable(Type.String({ description: 'Sentence of the refusal.' })),
  requestId: Nullable(Type.String({ description: '`requestId` of the refusal.' })),
  keyName: KeyName,
  keyPrefix: KeyPrefix,
  isAuthenticated: Type.Boolean({
    description: 'False: the request only names the project, by its number or the beginning of a key.',
  }),
  headers: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Nullable(Type.String({ description: 'Null but for headers that say how the body was sent.' })),
      length: Type.Integer({ description: 'Characters of the value.' }),
    }),
  ),
});

/** Requests of the last 24 hours. */
export const ProjectRequests = Type.Object({
  keys: Type.Array(KeyRequests, { description: 'A line for each protocol and key.' }),
  hours: Type.Array(Type.Object({ at: Timestamp, accepted: Type.Integer(), refused: Type.Integer() }), {
    description: 'Hours with requests, the oldest first.',
  }),
  newest: Type.Array(Sample, {
    description:
      'At most 100, the newest first: 60 that were refused, 20 without a valid key, and 20 accepted, one a minute of each protocol.',
  }),
});
export type ProjectRequests = Static<typeof ProjectRequests>;

export const FindQuery = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: MAX_ID_LENGTH,
    description:
      'Id of an event, a job or a deploy; `requestId` of a refusal; event id of Sentry; delivery id of a hook (`X-GitHub-Delivery`, event of Stripe, `webhook-id`); `Idempotency-Key`; `id` of a payment or a CloudEvent; `fingerprint` or `groupKey` of an alert.',
  }),
});

const Step = Type.Object({
  step: Type.Enum(['accepted', 'repeated', 'refused', 'queued', 'stored', 'sampled', 'deployed', 'dead']),
  at: Nullable(Timestamp),
  detail: Nullable(Type.String({ description: 'Reason of `refused` and `dead`.' })),
});
export type Step = Static<typeof Step>;

export const Trace = Type.Object({
  state: Type.Enum(
    [
      'stored',
      'sampled',
      'deployed',
      'queued',
      'dead',
      'accepted',
      'refused',
      'removed',
      'searching',
      'unknown',
    ],
    {
      description:
        '`accepted`: only the id of its job leads further. `removed`: it was accepted, and its event is not stored: it was removed, or only counted. `searching`: the queue is too long to be searched at once. `unknown`: the project has no trace of it.',
    },
  ),
  jobId: Nullable(Type.String()),
  eventId: Nullable(Type.String()),
  groupId: Nullable(Type.String()),
  steps: Type.Array(Step, { description: 'The oldest first.' }),
  changed: WholeEvent.properties.changed,
  scrubbed: WholeEvent.properties.scrubbed,
  alike: Type.Array(Type.Object({ jobId: Type.String(), acceptedAt: Timestamp }), {
    description:
      'Further jobs of the id, at most 10, the newest first: alerts fire again, and senders of CloudEvents may give the same one.',
  }),
  onDisk: Type.Integer({
    description:
      'Events of the project that wait on the disk of ingestion processes, and cannot be searched.',
  }),
});
export type Trace = Static<typeof Trace>;
