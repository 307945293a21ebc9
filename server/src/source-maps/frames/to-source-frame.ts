import type { SourcePlace } from './find-positions.ts';
import type { BuiltFrame } from './read-built-stacks.ts';
import type { SourceFrame } from './schema.ts';

/** Names that a minifier gives: `t`, `Object.a1`, `new Ae`. */
const GENERATED_NAME = /(?:^|[.\s])[\w$]{1,2}$/;
const LIBRARY = /(?:^|\/)node_modules\//;

/** Null: there is no map, or it says nothing about the position. */
export type Place = SourcePlace | null;

/** @param caller place of the call that led to the frame, which names the function */
export function toSourceFrame(
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
