import { inflateRawSync } from 'node:zlib';
import {
  FlattenMap,
  originalPositionFor,
  type SectionedSourceMapInput,
  sourceContentFor,
} from '@jridgewell/trace-mapping';
import { MAX_MAP_BYTES } from '../limits.ts';
import type { SourceFrame } from './schema.ts';

/** Lines of context before and after the line of a frame. */
const CONTEXT_LINES = 3;
const MAX_LINE_LENGTH = 200;
const MAX_NAME_LENGTH = 500;

/** Position in a built file, as stack traces count: lines and columns begin with 1. */
interface BuiltPosition {
  line: number;
  column: number;
}

export interface MapTask {
  packed: Uint8Array<ArrayBuffer>;
  isDeflated: boolean;
  positions: BuiltPosition[];
}

/** Place in the sources. */
export interface SourcePlace extends Pick<SourceFrame, 'file' | 'context'> {
  line: number;
  column: number;
  /** Name in the sources of what is at the position: of a call, of the function that is called. */
  name: string | null;
}

/**
 * Finds the places of positions in a map; null: the map says nothing about one.
 * @throws Error for a map that cannot be read
 */
export function findPositions({ packed, isDeflated, positions }: MapTask): (SourcePlace | null)[] {
  const bytes = isDeflated ? inflateRawSync(packed, { maxOutputLength: MAX_MAP_BYTES }) : Buffer.from(packed);
  // The library reads the version and each field of the map.
  const map = new FlattenMap(JSON.parse(bytes.toString('utf8')) as SectionedSourceMapInput);
  const linesOf = new Map<string, string[]>();
  return positions.map(({ line, column }) => {
    if (line < 1 || column < 1) return null;
    const found = originalPositionFor(map, { line, column: column - 1 });
    if (found.source === null) return null;
    let lines = linesOf.get(found.source);
    if (!lines) {
      lines = sourceContentFor(map, found.source)?.split(/\r\n|\n|\r/) ?? [];
      linesOf.set(found.source, lines);
    }
    return {
      file: found.source.replace(/^(?:\.\.?\/)+/, '').slice(0, MAX_NAME_LENGTH),
      line: found.line,
      column: found.column + 1,
      // The library checks no name.
      name: typeof found.name === 'string' ? found.name.slice(0, MAX_NAME_LENGTH) : null,
      context: contextAt(lines, found.line),
    };
  });
}

function contextAt(lines: readonly string[], line: number): SourceFrame['context'] {
  if (line > lines.length) return null;
  const first = Math.max(1, line - CONTEXT_LINES);
  const shown = lines.slice(first - 1, line + CONTEXT_LINES).map((text) => text.slice(0, MAX_LINE_LENGTH));
  return { firstLine: first, lines: shown };
}
