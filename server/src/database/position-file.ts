import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SeenPosition } from './position-watch.ts';

const Seen = Type.Object({
  system: Type.String(),
  timeline: Type.Integer(),
  startedAt: Type.String(),
  acceptedMs: Type.Number(),
  position: Type.Integer({ minimum: 0 }),
  atMs: Type.Number(),
});

/** The position that a process before this one has seen; null: none, or none that can be read. */
export async function readSeenPosition(file: string): Promise<SeenPosition | null> {
  try {
    const seen: unknown = JSON.parse(await readFile(file, 'utf8'));
    return Value.Check(Seen, seen) ? seen : null;
  } catch {
    return null;
  }
}

/**
 * Writes the place that was seen, unless a process that shares the directory has written a further one.
 * @param own JSON of what this process read from the file or wrote last, which it may take back; null: nothing
 * @returns true if it is written
 */
export async function writeSeenPosition(
  file: string,
  seen: Readonly<SeenPosition>,
  own: string | null,
): Promise<boolean> {
  const written = await readSeenPosition(file);
  if (written && JSON.stringify(written) !== own && isFurther(written, seen)) return false;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // Each process in a container of its own has the same number.
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(seen));
    await rename(draft, file);
    return true;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Positions are those of one server: what was accepted, promoted or started later comes after all of the one before. */
function isFurther(one: SeenPosition, than: Readonly<SeenPosition>): boolean {
  if (one.system !== than.system) return false;
  const ranks = ({ acceptedMs, timeline, startedAt, position }: Readonly<SeenPosition>) => [
    acceptedMs,
    timeline,
    Number(startedAt),
    position,
  ];
  const others = ranks(than);
  const difference = ranks(one).map((rank, index) => rank - (others[index] ?? 0));
  return (difference.find((value) => value !== 0) ?? 0) > 0;
}
