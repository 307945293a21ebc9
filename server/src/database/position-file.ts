import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
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

export async function writeSeenPosition(file: string, seen: Readonly<SeenPosition>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(seen));
  await rename(draft, file);
}
