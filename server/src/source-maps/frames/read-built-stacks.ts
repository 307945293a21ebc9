import { toList, toObject } from '../../platform/json/json-object.ts';
import { isDebugId, toDebugId } from '../debug-id.ts';
import type { SourceCause, SourceFrame } from './schema.ts';

/** Maximum frames of an event that are mapped: those of the error first. */
const MAX_FRAMES = 300;

/** A frame as it was sent, without context. */
export interface BuiltFrame extends SourceFrame {
  /** Null: the sender knew no source map of its file. */
  debugId: string | null;
}

export interface BuiltStacks {
  frames: BuiltFrame[];
  causes: (SourceCause & { frames: BuiltFrame[] })[];
}

/**
 * Reads the frames of a payload and of its causes, and the debug ids of their files. Any client can send a payload, so
 * its shape is unknown, and invalid frames and causes are left out.
 */
export function readBuiltStacks(payload: Record<string, unknown>): BuiltStacks {
  const ids = new Map<string, string>();
  for (const image of toList(toObject(payload.debug_meta).images)) {
    const { type, code_file: file, debug_id: id } = toObject(image);
    if (type === 'sourcemap' && typeof file === 'string' && isDebugId(id)) ids.set(file, toDebugId(id));
  }
  let count = 0;
  const framesOf = (values: unknown) =>
    toList(values).flatMap((value): BuiltFrame[] => {
      const { function: name, file, line, column, inApplication } = toObject(value);
      if (typeof file !== 'string') return [];
      return [
        {
          function: textOf(name),
          file,
          line: positionOf(line),
          column: positionOf(column),
          inApplication: inApplication === true,
          context: null,
          debugId: count++ < MAX_FRAMES ? (ids.get(file) ?? null) : null,
        },
      ];
    });
  return {
    frames: framesOf(payload.frames),
    causes: toList(payload.causes)
      .map((cause) => {
        const { type, value, frames } = toObject(cause);
        return { type: textOf(type), value: textOf(value), frames: framesOf(frames) };
      })
      .filter(({ type, value, frames }) => type !== null || value !== null || frames.length > 0),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function positionOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
