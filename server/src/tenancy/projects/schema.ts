import { type Static, Type } from 'typebox';
import { Name, Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { ScrubChoices } from '../../scrubbing/schema.ts';
import { Dsn } from '../dsn.ts';
import { MAX_GROUP_PREFIX, MAX_SAMPLE_ABOVE, MIN_SAMPLE_ABOVE } from './limits.ts';

const ENVIRONMENTS = ['production', 'staging', 'development'] as const;
export const Environment = Type.Enum([...ENVIRONMENTS]);
export type Environment = Static<typeof Environment>;

const Days = Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 }));

/** Choices of a project, which replace what it chose before. */
const Retention = Type.Object(
  { info: Days, warn: Days, error: Days, critical: Days },
  {
    additionalProperties: false,
    description:
      'Days for which events of a severity are kept, by their `capturedAt`; they are removed at most an hour later. At most `RETENTION_DAYS`; a severity that is not named is kept as long as the installation keeps events.',
    examples: [{ info: 14 }],
  },
);
type Retention = Static<typeof Retention>;
const SampleAbove = Nullable(
  Type.Integer({
    minimum: MIN_SAMPLE_ABOVE,
    maximum: MAX_SAMPLE_ABOVE,
    multipleOf: MIN_SAMPLE_ABOVE,
    description:
      'Events of a group stored in an hour beyond which samples are kept: one in two up to twice as many, one in four up to four times as many, and so on. All are counted. Null: all are kept.',
    examples: [1_000],
  }),
);

export const Project = Type.Object({
  id: Type.String({ examples: ['proj_01h455vb4pex5vsknk084sn02q'] }),
  name: Type.String(),
  environment: Environment,
  organizationId: Type.String(),
  groupPrefix: Type.String({
    description: 'Beginning of the keys of its groups; no other project of the organization has or had it.',
    examples: ['SHOP'],
  }),
  formerGroupPrefixes: Type.Array(Type.String(), {
    description: 'Earlier ones, newest first: keys with the last 10 of them still lead to its groups.',
  }),
  createdAt: Timestamp,
  scrubbing: ScrubChoices,
  retention: Retention,
  sampleAbove: SampleAbove,
  number: Type.Integer({ description: 'Number in the DSN of the project; unique in the installation.' }),
});

export const CreatedProject = Type.Object({
  ...Project.properties,
  apiKey: Type.String({ description: 'The raw key of the project’s first API key, shown only once.' }),
  dsn: Dsn,
});

export const NewProject = Type.Object({
  name: Name('Display name'),
  environment: Type.Optional(Type.Enum([...ENVIRONMENTS], { default: 'production' })),
});

export const ProjectPatch = Type.Object({
  name: Type.Optional(Name('Display name')),
  environment: Type.Optional(Environment),
  groupPrefix: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Letters, digits and hyphens, at most ${MAX_GROUP_PREFIX}. It is stored in capitals, without accents, with a hyphen for anything else.`,
      examples: ['SHOP-STG'],
    }),
  ),
  scrubbing: Type.Optional(ScrubChoices),
  retention: Type.Optional(Retention),
  sampleAbove: Type.Optional(SampleAbove),
});

/** Outcome of everything that was sent to the project: `accepted` is the sum of all others at any time. */
export const Ledger = Type.Object({
  accepted: Type.Integer({ description: 'Acknowledged with a 2xx.' }),
  stored: Type.Integer({
    description: 'In the event store now. Deploys and notifications of alerts that were stored stay counted.',
  }),
  queued: Type.Integer({ description: 'Durable, not processed yet.' }),
  duplicate: Type.Integer({ description: 'Repeats that were recognised.' }),
  dead: Type.Integer({ description: 'Refused by the database, kept as dead letters.' }),
  dropped: Type.Integer({
    description: 'Discarded as dead letters, or still queued when their project was deleted.',
  }),
  sampled: Type.Integer({ description: 'Counted and not kept: others of their group stand for them.' }),
  erased: Type.Integer({ description: 'Stored or dead until an erasure removed them.' }),
  expired: Type.Integer({ description: 'Removed from the event store by retention.' }),
  onDisk: Type.Integer({
    description:
      'Acknowledged while the database was lost, and still on the disk of the ingestion processes that run; not yet in the sum.',
  }),
  unstored: Type.Array(
    Type.Object({
      kind: Type.String({ examples: ['session'] }),
      reason: Type.String({ examples: ['not_kept', 'ratelimit_backoff'] }),
      quantity: Type.Integer(),
    }),
    {
      description:
        'Items without an event, of clients of Sentry and OTLP and beyond quotas, beside the sum; the kind `envelope` counts whole requests. `not_kept` counts those of a kind that is not stored, `rejected` those that OTLP refused, `over_limit` events beyond what a request may hold, `too_large`, `unreadable`, `undeclared` (a check-in without a schedule), `over_rate`, `over_share` and `unavailable` what was refused, `over_quota` events beyond a quota (those that are sent natively have the kind `event`), `browser_key` what a key for browsers may not send, and other reasons what a client says that it lost. Written every 5 s: a process that is killed leaves out what it counted since.',
    },
  ),
});

export interface ProjectRow {
  id: string;
  organizationId: string;
  name: string;
  environment: Environment;
  groupPrefix: string;
  /** Newest first. */
  formerGroupPrefixes: string[];
  createdAt: Date;
  number: number;
  scrubbing: ScrubChoices;
  retention: Retention;
  sampleAbove: number | null;
}

export function toProject(row: ProjectRow): Static<typeof Project> {
  return {
    id: toId('proj', row.id),
    name: row.name,
    environment: row.environment,
    organizationId: toId('org', row.organizationId),
    groupPrefix: row.groupPrefix,
    formerGroupPrefixes: row.formerGroupPrefixes,
    createdAt: isoTime(row.createdAt),
    number: row.number,
    scrubbing: row.scrubbing,
    retention: row.retention,
    sampleAbove: row.sampleAbove,
  };
}
