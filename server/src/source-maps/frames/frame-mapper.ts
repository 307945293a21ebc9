import path from 'node:path';
import type { ResourceLimits } from 'node:worker_threads';
import type { Store } from '../../database/database.ts';
import { KeyedQueue } from '../../platform/keyed-queue.ts';
import type { Log } from '../../platform/log.ts';
import { runInThread, ThreadLimitError } from '../../platform/threads/run-in-thread.ts';
import { waitAtMost } from '../../platform/timing/wait-at-most.ts';
import { listMaps, listPieces, type MapId, type StoredMap } from './queries.ts';
import type { BuiltFrame } from './read-built-stacks.ts';
import type { SourceFrame } from './schema.ts';
import { type Place, toSourceFrame } from './to-source-frame.ts';

/** The file beside this one, in the sources as in the build. */
const WORKER = new URL(`./map-worker${path.extname(import.meta.url)}`, import.meta.url);
/** Memory for the largest map: its text, its values and its decoded positions. */
const RESOURCE_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: 512,
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4,
};
/** Maximum time for which the maps of a call are read; the other frames stay as they were sent. */
const MAX_READ_MS = 10_000;
/** One map is read at a time in a process: it takes up to the memory above. */
const queue = new KeyedQueue({ maxRunning: 1, maxWaiting: 64, maxShare: 1 / 2 });
/** Maximum remembered places, each with some lines of its source. */
const MAX_CACHED = 5_000;

export interface MapperDependencies extends Store {
  log: Log;
  /** Factor on how long callers wait. */
  waitFactor: number;
}

/** Frames that called each other, the innermost first. */
export interface BuiltStack {
  projectId: string;
  frames: readonly BuiltFrame[];
}

export interface MapRequest {
  organizationId: string;
  /** Maximum time for which the caller waits; reading goes on, for those who ask later. */
  maxWaitMs?: number;
}

/** A map with the frames that are looked up in it. */
interface MapReading {
  map: StoredMap;
  frames: readonly BuiltFrame[];
}

/**
 * Maps frames of built files to their sources by the maps of their project, each map in a thread of its own with
 * bounds on memory and time. Places are remembered by the content of the map, and looked up within the project alone.
 * A frame that cannot be mapped stays as it is: a reader never fails for a map.
 */
export class FrameMapper {
  readonly #dependencies: MapperDependencies;
  readonly #places = new Map<string, Place>();
  readonly #readings = new Map<AbortController, Promise<void>>();

  constructor(dependencies: MapperDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the frames of each stack. */
  async map(
    stacks: readonly BuiltStack[],
    { organizationId, maxWaitMs = MAX_READ_MS }: MapRequest,
  ): Promise<SourceFrame[][]> {
    const listed = await this.#list(stacks, organizationId);
    const unread = listed
      .map(({ map, frames }) => ({ map, frames: this.#unknownOf(map, frames) }))
      .filter(({ frames }) => frames.length > 0);
    const limitMs = maxWaitMs * this.#dependencies.waitFactor;
    if (unread.length > 0) await waitAtMost(limitMs, this.#begin(unread, organizationId), undefined);
    const maps = new Map(listed.map(({ map }) => [idOf(map), map]));
    return stacks.map(({ projectId, frames }) => {
      const places = frames.map((frame) => this.#placeOf(frame, projectId, maps));
      return frames.map((frame, index) =>
        toSourceFrame(frame, places[index] ?? null, places[index + 1] ?? null),
      );
    });
  }

  /** Ends what is being read. */
  async stop(): Promise<void> {
    for (const limit of this.#readings.keys()) limit.abort();
    await Promise.all(this.#readings.values());
  }

  /** Finds the maps of all stacks by one query. */
  async #list(stacks: readonly BuiltStack[], organizationId: string): Promise<MapReading[]> {
    const located = stacks.flatMap(({ projectId, frames }) =>
      frames.flatMap((frame) =>
        frame.debugId === null ? [] : [{ projectId, debugId: frame.debugId, frame }],
      ),
    );
    if (located.length === 0) return [];
    const { pool, clock } = this.#dependencies;
    const wanted = [...new Map(located.map((one) => [idOf(one), one])).values()];
    const maps = await listMaps(pool, organizationId, { wanted, now: new Date(clock.now()) });
    return maps.map((map) => {
      const own = located.filter((one) => one.projectId === map.projectId && one.debugId === map.debugId);
      return { map, frames: own.map(({ frame }) => frame) };
    });
  }

  #placeOf(
    { debugId, ...frame }: BuiltFrame,
    projectId: string,
    maps: ReadonlyMap<string, StoredMap>,
  ): Place {
    const map = debugId === null ? undefined : maps.get(idOf({ projectId, debugId }));
    return (map && this.#places.get(keyOf(map, frame))) ?? null;
  }

  #unknownOf(map: StoredMap, frames: readonly BuiltFrame[]): BuiltFrame[] {
    return frames.filter((frame) => !this.#places.has(keyOf(map, frame)));
  }

  /** Begins to read the places of frames that are not remembered, for a bounded time. */
  #begin(readings: readonly MapReading[], organizationId: string): Promise<void> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), MAX_READ_MS);
    const ended = this.#readAll(readings, organizationId, limit.signal).finally(() => {
      clearTimeout(timer);
      this.#readings.delete(limit);
    });
    this.#readings.set(limit, ended);
    return ended;
  }

  /** Reads one map after the other; never rejects. */
  async #readAll(
    readings: readonly MapReading[],
    organizationId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const refuse = () => new Error('Too many source maps are waiting to be read.');
    for (const { map, frames } of readings)
      try {
        await queue.run({ key: organizationId, signal, refuse }, () => this.#read(map, frames, signal));
      } catch (error) {
        if (signal.aborted) return;
        this.#logFailure(error, map);
      }
  }

  async #read(map: StoredMap, frames: readonly BuiltFrame[], signal: AbortSignal): Promise<void> {
    // Another call may have read the map meanwhile.
    const unknown = this.#unknownOf(map, frames);
    if (unknown.length === 0) return;
    const pieces = await listPieces(this.#dependencies.pool, map);
    if (pieces.length === 0) return;
    const packed = joinPieces(pieces);
    const positions = unknown.map(({ line, column }) => ({ line: line ?? 0, column: column ?? 0 }));
    const found = await runInThread<Place[]>(
      { task: { packed, isDeflated: map.isDeflated, positions }, transferred: [packed.buffer] },
      signal,
      { name: 'source map', entry: WORKER, resourceLimits: RESOURCE_LIMITS, maxRunMs: MAX_READ_MS },
    ).catch((error: unknown) => {
      if (signal.aborted || (error instanceof ThreadLimitError && error.limit === 'time')) throw error;
      // It has no places, now or later.
      this.#logFailure(error, map);
      return [];
    });
    unknown.forEach((frame, index) => this.#remember(keyOf(map, frame), found[index] ?? null));
  }

  #logFailure(error: unknown, { projectId, debugId }: MapId): void {
    this.#dependencies.log.warn({ err: error, projectId, debugId }, 'a source map could not be read');
  }

  #remember(key: string, place: Place): void {
    const [oldest] = this.#places.keys();
    if (oldest !== undefined && this.#places.size >= MAX_CACHED) this.#places.delete(oldest);
    this.#places.set(key, place);
  }
}

function idOf({ projectId, debugId }: MapId): string {
  return `${projectId} ${debugId}`;
}

function keyOf({ checksum }: StoredMap, { line, column }: Pick<BuiltFrame, 'line' | 'column'>): string {
  return `${checksum.toString('base64')} ${line}:${column}`;
}

/** Copies the pieces into a buffer of their own, which can be transferred. */
function joinPieces(pieces: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
