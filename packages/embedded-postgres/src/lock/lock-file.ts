import type { FileHandle } from 'node:fs/promises';
import { createFile } from '../data-directory/files.ts';

/** Holder of a lock, as its file names it. */
export interface Holder {
  pid: number;
  /** See `processStart`. */
  start: string;
  /** See `Place`; null in a file of a version that did not write it, or in one that is torn. */
  place: string | null;
  host: string | null;
}

const BEAT_DIGITS = 12;
const NO_BEAT = '0'.repeat(BEAT_DIGITS);
const BEAT = /,"beat":"(\d{12})"\}$/;
const MAX_HOST_CHARACTERS = 100;

/** A file that names its creator and whose number grows for as long as the creator lives. */
export interface BeatingFile {
  /** Content apart from the number, unique to this file. */
  identity: string;
  beat(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates such a file. It is written through the open file alone, so that it may be renamed, and that a file that has
 * replaced it is never touched.
 */
export async function createBeatingFile(path: string, holder: Holder, token: string): Promise<BeatingFile> {
  const content = JSON.stringify({ ...holder, token, beat: NO_BEAT });
  const file: FileHandle = await createFile(path, content);
  const position = Buffer.byteLength(content) - BEAT_DIGITS - '"}'.length;
  let beats = 0;
  return {
    identity: identityOf(content),
    beat: async () => {
      beats += 1;
      await file.write(String(beats).padStart(BEAT_DIGITS, '0'), position);
    },
    close: () => file.close(),
  };
}

export function identityOf(content: string): string {
  return content.replace(BEAT, '}');
}

export function beatOf(content: string): string {
  return BEAT.exec(content)?.[1] ?? '';
}

/** Parses a holder. A torn file, as a full disk may leave it, names a process that does not live. */
export function parseHolder(content: string): Holder {
  const nobody = { pid: 0, start: '', place: null, host: null };
  try {
    const { pid, start, place, host } = JSON.parse(content) as Partial<Record<keyof Holder, unknown>>;
    if (typeof pid !== 'number' || typeof start !== 'string') return nobody;
    return { pid, start, place: textOrNull(place), host: textOrNull(host) };
  } catch {
    return nobody;
  }
}

/** Limits a text for messages: no control characters, and a maximum length. */
function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/\p{C}/gu, '').slice(0, MAX_HOST_CHARACTERS) : null;
}
