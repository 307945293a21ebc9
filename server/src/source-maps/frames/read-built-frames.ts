import { toList, toObject } from '../../platform/json/json-object.ts';
import { isDebugId, toDebugId } from '../debug-id.ts';
import type { SourceFrame } from './schema.ts';

/** Maximum frames of an event that are mapped. */
const MAX_FRAMES = 100;

/** A frame as it was sent, without context. */
export interface BuiltFrame extends SourceFrame {
  /** Null: the sender knew no source map of its file. */
  debugId: string | null;
}

/**
 * Reads the frames of a payload and the debug ids of their files. Any client can send a payload, so its shape is
 * unknown, and invalid frames are left out.
 */
export function readBuiltFrames(payload: Record<string, unknown>): BuiltFrame[] {
  const ids = new Map<string, string>();
  for (const image of toList(toObject(payload.debug_meta).images)) {
    const { type, code_file: file, debug_id: id } = toObject(image);
    if (type === 'sourcemap' && typeof file === 'string' && isDebugId(id)) ids.set(file, toDebugId(id));
  }
  return toList(payload.frames).flatMap((value, index): BuiltFrame[] => {
    const { function: name, file, line, column, inApplication } = toObject(value);
    if (typeof file !== 'string') return [];
    return [
      {
        function: typeof name === 'string' ? name : null,
        file,
        line: positionOf(line),
        column: positionOf(column),
        inApplication: inApplication === true,
        context: null,
        debugId: index < MAX_FRAMES ? (ids.get(file) ?? null) : null,
      },
    ];
  });
}

function positionOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
