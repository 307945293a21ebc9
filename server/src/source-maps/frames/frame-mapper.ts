import path from 'node:path';
import type { ResourceLimits } from 'node:worker_threads';
import type { Store } from '../../database/database.ts';
import { KeyedQueue } from '../../platform/keyed-queue.ts';
import type { Log } from '../../platform/log.ts';
import { runInThread, ThreadLimitError } from '../../platform/threads/run-in-thread.ts';
import type { SourcePlace } from './find-positions.ts';
import { listMaps, listPieces, type StoredMap } from './queries.ts';
import type { BuiltFrame } from './read-built-frames.ts';
import type { SourceFrame } from './schema.ts';

/** The file beside this one, in the sources as in the build. */
const WORKER = new URL(`./map-worker${path.extname(import.meta.url)}`, import.meta.url);
/** Memory for the largest map: its text, its values and its decoded positions. */
const RESOURCE_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: 512,
  maxYoungGenerationSizeMb: 32,
  stackSizeMb: 4,
};
/** Maximum time for which a reader waits for its maps; the other frames stay as they were sent. */
const MAX_WAIT_MS = 10_000;
/** One map is read at a time: it takes up to the memory above. */
const QUEUE = { maxRunning: 1, maxWaiting: 64, maxShare: 1 / 2 };
/** Maximum remembered places, each with some lines of its source. */
const MAX_CACHED = 5_000;
/** Names that a minifier gives: `t`, `Object.a1`, `new Ae`. */
const GENERATED_NAME = /(?:^|[.\s])[\w$]{1,2}$/;
const LIBRARY = /(?:^|\/)node_modules\//;

type Place = SourcePlace | null;

export interface MapperDependencies extends Store {
  log: Log;
}

export interface MapRequest {
  organizationId: string;
  projectId: string;
  /** Aborted when no request waits for the frames any more. */
  signal?: AbortSignal;
}

/**
 * Maps frames of built files to their sources by the maps of their project, each map in a thread of its own with
 * bounds on memory and time. Places are remembered by the content of the map, and looked up within the project alone.
 * A frame that cannot be mapped stays as it is: a reader never fails for a map.
 */
export class FrameMapper {
  readonly #dependencies: MapperDependencies;
  readonly #queue = new KeyedQueue(QUEUE);
  readonly #places = new Map<string, Place>();

  constructor(dependencies: MapperDependencies) {
    this.#dependencies = dependencies;
  }

  async map(frames: readonly BuiltFrame[], request: MapRequest): Promise<SourceFrame[]> {
    const { pool, clock } = this.#dependencies;
    const { organizationId, projectId } = request;
    const debugIds = [...new Set(frames.flatMap(({ debugId }) => debugId ?? []))];
    const timeout = AbortSignal.timeout(MAX_WAIT_MS);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const use = { projectId, debugIds, now: new Date(clock.now()) };
    const listed = debugIds.length > 0 ? await listMaps(pool, organizationId, use) : [];
    for (const map of listed)
      try {
        const own = frames.filter(({ debugId }) => debugId === map.debugId);
        await this.#read(map, own, { ...request, signal });
      } catch (error) {
        if (signal.aborted) break;
        this.#logFailure(error, projectId, map);
      }
    const maps = new Map(listed.map((map) => [map.debugId, map]));
    const places = frames.map((frame) => this.#placeOf(frame, maps));
    return frames.map((frame, index) =>
      toSourceFrame(frame, places[index] ?? null, places[index + 1] ?? null),
    );
  }

  #placeOf(frame: BuiltFrame, maps: ReadonlyMap<string, StoredMap>): Place {
    const map = frame.debugId === null ? undefined : maps.get(frame.debugId);
    return (map && this.#places.get(keyOf(map, frame))) ?? null;
  }

  /** Reads the places of frames that are not remembered. */
  async #read(map: StoredMap, frames: readonly BuiltFrame[], request: Required<MapRequest>): Promise<void> {
    const unknown = frames.filter((frame) => !this.#places.has(keyOf(map, frame)));
    if (unknown.length === 0) return;
    const { signal, organizationId, projectId } = request;
    const refuse = () => new Error('Too many source maps are waiting to be read.');
    await this.#queue.run({ key: organizationId, signal, refuse }, async () => {
      const pieces = await listPieces(this.#dependencies.pool, projectId, map);
      if (pieces.length === 0) return;
      const packed = joinPieces(pieces);
      const positions = unknown.map(({ line, column }) => ({ line: line ?? 0, column: column ?? 0 }));
      const found = await runInThread<Place[]>(
        { task: { packed, isDeflated: map.isDeflated, positions }, transferred: [packed.buffer] },
        signal,
        { name: 'source map', entry: WORKER, resourceLimits: RESOURCE_LIMITS, maxRunMs: MAX_WAIT_MS },
      ).catch((error: unknown) => {
        if (signal.aborted || (error instanceof ThreadLimitError && error.limit === 'time')) throw error;
        // It has no places, now or later.
        this.#logFailure(error, projectId, map);
        return [];
      });
      unknown.forEach((frame, index) => this.#remember(keyOf(map, frame), found[index] ?? null));
    });
  }

  #logFailure(error: unknown, projectId: string, { debugId }: StoredMap): void {
    this.#dependencies.log.warn({ err: error, projectId, debugId }, 'a source map could not be read');
  }

  #remember(key: string, place: Place): void {
    const [oldest] = this.#places.keys();
    if (oldest !== undefined && this.#places.size >= MAX_CACHED) this.#places.delete(oldest);
    this.#places.set(key, place);
  }
}

function keyOf({ checksum }: StoredMap, { line, column }: BuiltFrame): string {
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

/** @param caller place of the call that led to the frame, which names the function */
function toSourceFrame(
  { debugId: _debugId, ...frame }: BuiltFrame,
  place: Place,
  caller: Place,
): SourceFrame {
  if (place === null) return frame;
  const isGenerated = frame.function === null || GENERATED_NAME.test(frame.function);
  return {
    function: isGenerated ? (caller?.name ?? frame.function) : frame.function,
    file: place.file,
    line: place.line,
    column: place.column,
    inApplication: frame.inApplication && !LIBRARY.test(place.file),
    context: place.context,
  };
}
