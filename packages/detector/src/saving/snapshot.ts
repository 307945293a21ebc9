import type { SavedProject } from '../project/project-parts.ts';
import { DETECTOR_VERSION } from '../version.ts';

const LENGTH_BYTES = 4;
/** Key of the length of bytes in the JSON that stands for them. */
const BYTES = '$bytes';

/** Returns the length of JSON, as much JSON, and the bytes of all records in the order of their places in it. */
export function toBytes(project: SavedProject): Uint8Array {
  const records: Uint8Array[] = [];
  const json = JSON.stringify({ version: DETECTOR_VERSION, project }, (_key, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    records.push(value);
    return { [BYTES]: value.length };
  });
  const head = Buffer.from(json);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...records]);
}

/** Returns null where the bytes are of another version: then the project is replayed from its counts. */
export function fromBytes(bytes: Uint8Array): SavedProject | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = LENGTH_BYTES + all.readUInt32LE(0);
  // Written by `toBytes`; another version may have other keys, and is not read.
  const { version, project } = JSON.parse(all.toString('utf8', LENGTH_BYTES, end), (_key, value: unknown) => {
    const length = (value as Partial<Record<typeof BYTES, number>> | null)?.[BYTES];
    return length === undefined ? value : all.subarray(end, (end += length));
  }) as { version: number; project: SavedProject };
  return version === DETECTOR_VERSION ? project : null;
}
