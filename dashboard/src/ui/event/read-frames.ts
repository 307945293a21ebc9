import type { StackFrame } from '../../lib/api-types.ts';

/** Reads the frames of a server error's payload, innermost first; empty if there are none. Invalid frames are left out. */
export function readFrames(payload: Record<string, unknown>): StackFrame[] {
  const { frames } = payload;
  if (!Array.isArray(frames)) return [];
  return frames.flatMap((frame: unknown) => {
    if (typeof frame !== 'object' || frame === null) return [];
    // Any client can send a payload with `frames`, so its shape is unknown.
    const { function: name, file, line, column, inApplication } = frame as Record<string, unknown>;
    if (typeof file !== 'string') return [];
    return [
      {
        function: typeof name === 'string' ? name : null,
        file,
        line: typeof line === 'number' ? line : null,
        column: typeof column === 'number' ? column : null,
        inApplication: inApplication === true,
      },
    ];
  });
}

/** Returns the location of a frame as editors and terminals understand it. */
export function placeOf({ file, line, column }: StackFrame): string {
  return [file, line, column].filter((part) => part !== null).join(':');
}
