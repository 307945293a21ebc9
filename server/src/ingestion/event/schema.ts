import { type Static, Type } from 'typebox';
import { MAX_ENVIRONMENT_LENGTH } from '../../environments/fold-environment.ts';
import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../events/limits.ts';
import { SEVERITIES } from '../../events/severities.ts';
import { Severity } from '../../events/severity.ts';
import { IsoTime, JsonObject, Nullable } from '../../http/schemas.ts';
import { MAX_RELEASE_LENGTH } from '../../releases/limits.ts';

/** Severity in requests: upper case only. */
const UPPER_SEVERITIES = SEVERITIES.map(
  // `toUpperCase` of a literal is typed as any text.
  (severity) => severity.toUpperCase() as Uppercase<Severity>,
);
export const UpperSeverity = Type.Enum(UPPER_SEVERITIES);

export const MAX_MESSAGE_LENGTH = 32_768;
export const MAX_EVENT_BYTES = 1024 * 1024;

const Message = Type.String({ maxLength: MAX_MESSAGE_LENGTH });

export const Correlation = Type.Record(
  Type.String({ pattern: '^[^]{0,256}$' }),
  Type.Unsafe<string | number | boolean | null>({
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: 256,
  }),
  {
    maxProperties: 32,
    additionalProperties: false,
    description: 'Key-value context: at most 32 keys; keys and texts of at most 256 characters.',
    examples: [{ order_id: 'ord_1042' }],
  },
);
export type Correlation = Static<typeof Correlation>;

/** The client's own fingerprint; at most 8,192 characters. */
const Fingerprint = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
  minItems: 1,
  maxItems: 32,
  description:
    'Events of the same parts, in the same order, are of the same kind, whatever else they hold. `{{ default }}` stands for the fingerprint that the service computes.',
  examples: [['{{ default }}', 'checkout']],
});

const Release = Type.String({ maxLength: MAX_RELEASE_LENGTH, description: 'Version of the application.' });

const Environment = Type.String({
  maxLength: MAX_ENVIRONMENT_LENGTH,
  description:
    'Environment of the event, in any case; default: that of the project. `prod` and `live` are `production`, `stage`, `stg` and `preprod` are `staging`, `dev`, `local` and `test` are `development`.',
  examples: ['production'],
});

export const CustomEventBody = Type.Object({
  type: Type.String({ minLength: 1, maxLength: MAX_TYPE_LENGTH, examples: ['checkout'] }),
  severity: UpperSeverity,
  message: Message,
  source: Type.Optional(Type.String({ maxLength: MAX_SOURCE_LENGTH, description: 'Service or component.' })),
  correlation: Type.Optional(Correlation),
  payload: Type.Optional(JsonObject),
  release: Type.Optional(Release),
  environment: Type.Optional(Environment),
  fingerprint: Type.Optional(Fingerprint),
  capturedAt: Type.Optional(IsoTime),
});

export const ServerErrorBody = Type.Object({
  status_code: Type.Number(),
  path: Type.String(),
  method: Type.String(),
  error_message: Message,
  stack: Type.Optional(Type.String()),
  correlation: Type.Optional(Correlation),
  release: Type.Optional(Release),
  environment: Type.Optional(Environment),
  fingerprint: Type.Optional(Fingerprint),
});

export const WebhookBody = Type.Object({
  source: Type.String({ maxLength: MAX_SOURCE_LENGTH }),
  event: Message,
  payload: JsonObject,
  severity: Type.Optional(Type.Enum(UPPER_SEVERITIES, { default: 'INFO' })),
  correlation: Type.Optional(Correlation),
  environment: Type.Optional(Environment),
  fingerprint: Type.Optional(Fingerprint),
});

export const PaymentBody = Type.Object({
  type: Type.String({ minLength: 1, maxLength: MAX_MESSAGE_LENGTH, examples: ['charge.failed'] }),
  data: JsonObject,
  id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A repeat of an id is recognised for 30 days.',
    }),
  ),
  correlation: Type.Optional(Correlation),
  environment: Type.Optional(Environment),
  fingerprint: Type.Optional(Fingerprint),
});

export const AcceptedEvent = Type.Object({
  jobId: Type.String({ examples: ['job_01h455vb4pex5vsknk084sn02q'] }),
  status: Type.Literal('queued'),
});
export type AcceptedEvent = Static<typeof AcceptedEvent>;

/** One result a line of a bulk body: a job, or the problem with the line. */
export const BulkResult = Type.Union([AcceptedEvent, Type.Object({ error: JsonObject })]);

export const Job = Type.Object({
  jobId: Type.String(),
  status: Type.Enum(['queued', 'processed', 'duplicate', 'failed']),
  eventId: Nullable(
    Type.String({
      description: 'Null until it is processed, of a deploy, and of an event that was counted, not kept.',
    }),
  ),
  reason: Nullable(
    Type.String({ description: 'Reason of the failure, or for which the event was not kept.' }),
  ),
});
export type Job = Static<typeof Job>;

/** The one function after which severity is lower case. */
export function toSeverity(severity: Static<typeof UpperSeverity>): Severity {
  return severity.toLowerCase() as Severity;
}
