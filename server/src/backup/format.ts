import { type Static, Type } from 'typebox';
import { CommandError } from '../platform/command-error.ts';

/**
 * A backup is one gzip stream. What is in it, in this order:
 *
 *     8 bytes            TOCSINBK
 *     frame `H`          the header, as JSON
 *     for each table of the header, in its order:
 *       frame `T`        the name of the table
 *       frames `D`       its rows as PostgreSQL's COPY writes them (text format, UTF-8), cut anywhere
 *       frame `E`        empty: the end of the table
 *     frame `F`          the footer, as JSON: how many rows, and a checksum
 *
 * A frame is its kind (one ASCII letter), the length of its content (4 bytes, big-endian, at most 1 MiB), and
 * the content. The checksum is the SHA-256 of every byte before the frame of the footer. Nothing follows the
 * footer. So whatever is cut off, changed or added is found out. `docs/backup-format.md` says it for others.
 *
 * By hand: the embedded PostgreSQL comes without pg_dump, whose files would also hold the transient tables.
 */
export const MAGIC = Buffer.from('TOCSINBK', 'latin1');
export const FORMAT_VERSION = 1;
export const MAX_CONTENT_BYTES = 1024 * 1024;
export const FRAME_HEAD_BYTES = 5;

export type FrameKind = 'H' | 'T' | 'D' | 'E' | 'F';

export interface Frame {
  kind: FrameKind;
  content: Buffer;
}

const Count = Type.Integer({ minimum: 0 });
const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });

export const Header = Type.Object({
  format: Type.Literal(FORMAT_VERSION),
  /** Version of the program that wrote it. */
  program: Type.String(),
  /** Time of the snapshot. ISO 8601. */
  createdAt: Type.String(),
  /** Migrations that made the tables, in order: the version of the last one is that of the schema. */
  migrations: Type.Array(Type.Object({ version: Count, name: Type.String(), checksum: Type.String() }), {
    minItems: 1,
  }),
  tables: Type.Array(
    Type.Object({ name: Type.String(), columns: Type.Array(Type.String(), { minItems: 1 }) }),
  ),
  /** First and last id of the events: their partitions must exist first. Null: no events. */
  eventIds: Type.Union([Type.Object({ first: Uuid, last: Uuid }), Type.Null()]),
});
export type Header = Static<typeof Header>;

export const Footer = Type.Object({
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      rows: Count,
      /** Last number of the table's identity column; null: it has none, or no number was assigned. */
      lastIdentity: Type.Union([Count, Type.Null()]),
    }),
  ),
  /** Hexadecimal. */
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type Footer = Static<typeof Footer>;

/** An error of the backup itself; the database stays as it was. */
export class BackupError extends CommandError {
  override name = 'BackupError';
}

/** Encodes one frame, or several if data is longer than a frame may be. */
export function* encodeFrames(kind: FrameKind, content: Buffer): Generator<Buffer> {
  let offset = 0;
  do {
    const piece = content.subarray(offset, offset + MAX_CONTENT_BYTES);
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.write(kind, 'latin1');
    head.writeUInt32BE(piece.length, 1);
    yield head;
    if (piece.length > 0) yield piece;
    offset += MAX_CONTENT_BYTES;
  } while (offset < content.length);
}

export function schemaVersionOf(migrations: Header['migrations']): number {
  return migrations.at(-1)?.version ?? 0;
}
