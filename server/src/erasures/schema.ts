import { type Static, Type } from 'typebox';
import { IdText, Nullable, Timestamp } from '../http/schemas.ts';
import { toPerson } from '../incidents/rows.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { MAX_ERASED_LENGTH, MAX_UNFINISHED_ERASURES, MIN_TEXT_LENGTH } from './limits.ts';

const subject = {
  projectId: Nullable(
    Type.String({ maxLength: 256, description: 'Null: all projects of the organization.' }),
  ),
  key: Nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_ERASED_LENGTH,
      description: 'Key of the correlation; null: the value is erased under any key.',
      examples: ['user_id'],
    }),
  ),
};

const Value = Type.String({ minLength: 1, maxLength: MAX_ERASED_LENGTH, examples: ['usr_4711'] });

export const NewErasure = Type.Object({
  projectId: Type.Optional(Nullable(IdText)),
  key: Type.Optional(subject.key),
  value: Value,
});
export type NewErasure = Static<typeof NewErasure>;

/** Places that may still hold the value after an erasure. */
const UNREACHED = [
  'backups',
  'messages',
  'exports',
  'audit_log',
  'other_texts',
  'names',
  'cut_texts',
  'short_value',
  'idempotency_keys',
  'transient',
  'disks',
] as const;

const UnreachedPlace = Type.Object({
  what: Type.Enum([...UNREACHED], {
    description: `\`backups\`: those made before. \`messages\`: those that were sent. \`exports\`: files that were downloaded. \`audit_log\`: changes by users. \`other_texts\`: messages and payloads of events without the value in their correlation. \`names\`: types, sources, releases, environments, deploys, alerts and schedules that are called so. \`cut_texts\`: its beginning at the end of a title that was cut. \`short_value\`: titles, notes and other texts, where a value of fewer than ${MIN_TEXT_LENGTH} characters is not replaced. \`idempotency_keys\`: keys by which repeats are recognised. \`transient\`: the newest requests to ingestion, and queues of detection and of dashboards. \`disks\`: events on the disk of an ingestion process that has not reported since, or has ended with some; if they come back, erase again.`,
  }),
  until: Nullable(
    Type.String({ ...Timestamp, description: 'Time at which the service removes it; null: it does not.' }),
  ),
});
export type UnreachedPlace = Static<typeof UnreachedPlace>;

const Person = Type.Object({ id: Type.String(), name: Type.String() });

export const Erasure = Type.Object({
  id: Type.String({ examples: ['ers_01h455vb4pex5vsknk084sn02q'] }),
  ...subject,
  value: Nullable(Type.String({ description: 'Null once it is done.' })),
  valueHash: Type.String({
    description:
      'SHA-256 of `id`, a colon and the value, in hexadecimal digits: proof for those who know the value.',
  }),
  state: Type.Enum(['waiting', 'erasing', 'done'], {
    description: '`waiting`: until what was accepted before is stored.',
  }),
  events: Type.Integer({ description: 'Erased events.' }),
  deadLetters: Type.Integer({ description: 'Erased dead letters.' }),
  texts: Type.Integer({
    description: 'Groups, incidents and other rows in which the value was replaced by `[erased]`.',
  }),
  unreached: Type.Array(UnreachedPlace, {
    description: 'Places that may still hold the value; empty until it is done.',
  }),
  createdAt: Timestamp,
  createdBy: Person,
  finishedAt: Nullable(Timestamp),
});
export type Erasure = Static<typeof Erasure>;

export const ErasurePreview = Type.Object({
  events: Type.Integer({ description: 'Stored events that have the value, counted up to 20,000.' }),
  isExact: Type.Boolean({ description: 'False: there are more.' }),
  deadLetters: Type.Integer({ description: 'Dead letters that it would delete.' }),
});

export const LIMIT_SENTENCE = `An organization can have up to ${MAX_UNFINISHED_ERASURES} erasures that are not done.`;

/** An erasure as the database stores it; all ids are UUIDs. */
export interface ErasureRow {
  id: string;
  organizationId: string;
  projectId: string | null;
  key: string | null;
  value: string | null;
  valueHash: Buffer;
  state: Erasure['state'];
  events: number;
  deadLetters: number;
  texts: number;
  unreached: UnreachedPlace[];
  createdAt: Date;
  createdBy: string;
  byName: string | null;
  finishedAt: Date | null;
}

export function toErasure(row: ErasureRow): Erasure {
  const { key, value, state, events, deadLetters, texts, unreached } = row;
  return {
    id: toId('ers', row.id),
    projectId: row.projectId && toId('proj', row.projectId),
    key,
    value,
    valueHash: row.valueHash.toString('hex'),
    state,
    events,
    deadLetters,
    texts,
    unreached,
    createdAt: isoTime(row.createdAt),
    createdBy: toPerson(row.createdBy, row.byName),
    finishedAt: row.finishedAt && isoTime(row.finishedAt),
  };
}
