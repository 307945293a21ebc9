import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readIfThere } from '../data-directory/files.ts';
import { EmbeddedPostgresError } from '../platform/errors.ts';
import { processStart } from '../process/process-table.ts';
import { beatOf, type Holder, identityOf, parseHolder } from './lock-file.ts';
import { isListening, SOCKET_NAME } from './lock-socket.ts';
import type { Place } from './place.ts';

const LOOK_EVERY_MS = 250;

export interface WatchOptions {
  place: Place;
  signal: AbortSignal | undefined;
  warn: (message: string) => void;
  lastWrite: () => Promise<string>;
  silenceMs: number;
}

/**
 * State of the previous holder: dead by its pid, so that all that it left behind runs here too; silent, by its file;
 * or unknown, because there was no lock.
 */
export type PreviousHolder = 'dead here' | 'silent' | 'unknown';

/**
 * Returns when the holder that `name` identifies is dead, or null if the file has changed meanwhile.
 * @throws EmbeddedPostgresError `already_running` if it lives
 */
export async function assertDead(
  name: string,
  content: string,
  lock: string,
  watch: WatchOptions,
): Promise<PreviousHolder | null> {
  const holder = parseHolder(content);
  const isHere = holder.place !== null && holder.place === watch.place.id;
  const present = isHere || holder.place === null ? await processStart(holder.pid) : null;
  if (present !== null && (present === holder.start || (isHere && present === 'hidden'))) {
    throw alreadyRunning(lock, holder, true);
  }
  return isHere ? 'dead here' : assertSilent({ name, content }, lock, holder, watch);
}

async function assertSilent(
  { name, content }: { name: string; content: string },
  lock: string,
  holder: Holder,
  watch: WatchOptions,
): Promise<PreviousHolder | null> {
  const { signal, warn, silenceMs, lastWrite } = watch;
  const socket = join(dirname(lock), SOCKET_NAME);
  const written = await lastWrite();
  // Checks are counted, so that a pause of this process is not mistaken for a silence of the other one.
  const allLooks = Math.ceil(silenceMs / LOOK_EVERY_MS);
  for (let looks = allLooks; ; looks -= 1) {
    const present = await readIfThere(name);
    if (present === null || identityOf(present) !== identityOf(content)) return null;
    const lives =
      beatOf(present) !== beatOf(content) || (await lastWrite()) !== written || (await isListening(socket));
    if (lives) throw alreadyRunning(lock, holder, false);
    if (looks <= 0) return 'silent';
    if (looks === allLooks)
      warn(
        `The data directory ${dirname(lock)} was in use by ${describe(holder, false)}, which cannot be seen from ` +
          `here. The start goes on when it has shown no sign of life for ${silenceMs / 1000} s.`,
      );
    await delay(Math.min(LOOK_EVERY_MS, silenceMs), undefined, { signal });
  }
}

export function alreadyRunning(lock: string, holder: Holder | null, isHere: boolean): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'already_running',
    `Tocsin already runs on the data directory ${dirname(lock)}: ${describe(holder, isHere)}. ` +
      'Stop it first, or choose another directory.',
  );
}

function describe(holder: Holder | null, isHere: boolean): string {
  if (holder === null || holder.pid === 0) return 'a process in another container or on another machine';
  if (isHere) return `process ${holder.pid}`;
  const host = holder.host === null ? '' : ` on host ${holder.host}`;
  return `process ${holder.pid}${host}, in another container or on another machine`;
}
