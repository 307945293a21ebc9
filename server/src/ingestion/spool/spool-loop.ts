import { join } from 'node:path';
import type { LoopDeclaration } from '../../platform/loop.ts';
import { type DrainDependencies, drainSegment, readSegment } from './drain.ts';
import { adoptFolders, isMissing, listSegments, removeIfEmpty, showOwner } from './folder.ts';
import { encodeRecord } from './record.ts';
import { type ClosedSegment, sizeOf } from './spool.ts';
import { Usage } from './usage.ts';

/** Time between two looks at what waits: a twelfth of the time after which a folder counts as without an owner. */
const INTERVAL_MS = 5_000;
/** Time between two tries while something waits. */
const DRAIN_INTERVAL_MS = 1_000;

/**
 * Empties the spool of this process, and adopts those of processes that ended. A try that fails, as long as the database
 * is down, is repeated; the first one that succeeds ends the outage.
 */
export function declareSpoolLoop(dependencies: DrainDependencies): LoopDeclaration {
  const { spool, clock } = dependencies;
  const adopted = new Set<string>();
  let shownMs = Number.NEGATIVE_INFINITY;

  async function show(): Promise<void> {
    const nowMs = clock.now();
    if (Math.abs(nowMs - shownMs) < INTERVAL_MS) return;
    shownMs = nowMs;
    for (const folder of ownFolders()) await showOwner(folder, nowMs).catch(isMissing);
    for (const folder of await adoptFolders(spool.directory, new Set(ownFolders()), nowMs)) {
      // One that cannot be read now finds an owner again after a minute.
      spool.adopt(await measureSegments(folder));
      adopted.add(folder);
      await removeIfEmpty(folder);
    }
  }

  function ownFolders(): string[] {
    return spool.folder === null ? [...adopted] : [...adopted, spool.folder];
  }

  return {
    name: 'spool',
    round: async (stopping) => {
      await show();
      const drained = await drainSegment(dependencies, stopping);
      for (const folder of adopted) if ((await listSegments(folder)).length === 0) adopted.delete(folder);
      return drained ? 'again' : 'idle';
    },
    idleDelayMs: DRAIN_INTERVAL_MS,
  };
}

async function measureSegments(folder: string): Promise<ClosedSegment[]> {
  const segments: ClosedSegment[] = [];
  for (const name of await listSegments(folder)) {
    const path = join(folder, name);
    const { records } = await readSegment(path);
    const usage = new Usage();
    for (const record of records) usage.add(sizeOf(record, Buffer.byteLength(encodeRecord(record))));
    segments.push({ path, usage });
  }
  return segments;
}
