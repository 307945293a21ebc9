import { crc32 } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { IntakeItem } from '../../queue/queue.ts';
import type { NamedReport } from '../../schedules/record-check-in.ts';
import { DeclaredSchedule } from '../../schedules/schema.ts';

/** Number of the form in which records are written; a record of another number is left for the program that knows it. */
const FORMAT = 1;

const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });

const Written = Type.Object({
  format: Type.Literal(FORMAT),
  receivedAt: Type.String({ format: 'date-time' }),
  projectId: Uuid,
  keyId: Uuid,
  claim: Type.Object({ key: Type.String(), jobId: Uuid }),
  events: Type.Array(Type.Object({ id: Uuid })),
  checkIn: Type.Optional(
    Type.Object({
      slug: Type.String(),
      status: Type.Enum(['in_progress', 'ok', 'error', 'log']),
      runId: Type.Union([Type.String(), Type.Null()]),
      declared: Type.Union([DeclaredSchedule, Type.Null()]),
    }),
  ),
});

/** Events or a check-in that were answered while the database was down, as they wait on disk. */
export interface SpoolRecord {
  /** ISO 8601. */
  receivedAt: string;
  /**
   * Its claim is always set: it recognises the item if it is drained twice. That of a check-in names the check-in as its job,
   * and there are no events.
   */
  item: IntakeItem & { claim: NonNullable<IntakeItem['claim']> };
  checkIn?: NamedReport;
}

/**
 * A line of a segment file: the CRC-32 of the JSON in hexadecimal digits, a space, the JSON. JSON holds no line feed, so
 * that a line that was damaged, or cut off by a crash, spoils no other.
 */
export function encodeRecord({ receivedAt, item, checkIn }: SpoolRecord): string {
  const { projectId, keyId, claim, events } = item;
  const head = JSON.stringify({
    format: FORMAT,
    receivedAt,
    projectId,
    keyId,
    claim: { key: claim.key, jobId: claim.jobId },
    checkIn,
  });
  const json = `${head.slice(0, -1)},"events":[${events.join(',')}]}`;
  return `${checksum(json)} ${json}\n`;
}

/** @returns the record of a line without its line feed; null: the line is damaged, or of another format */
export function decodeRecord(line: string): SpoolRecord | null {
  const json = line.slice(9);
  if (line.slice(0, 9) !== `${checksum(json)} `) return null;
  const written = parse(json);
  if (written === null) return null;
  const { receivedAt, projectId, keyId, claim, events, checkIn } = written;
  if (events.length === 0 && !checkIn) return null;
  return {
    receivedAt,
    ...(checkIn && { checkIn }),
    item: {
      projectId,
      keyId,
      events: events.map((event) => JSON.stringify(event)),
      claim: { ...claim, answer: null },
    },
  };
}

function parse(json: string): Static<typeof Written> | null {
  try {
    const value: unknown = JSON.parse(json);
    return Value.Check(Written, value) ? value : null;
  } catch {
    return null;
  }
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}
