import type { SourceFrame } from '../../lib/api-types.ts';

/** Returns the location of a frame as editors and terminals understand it. */
export function placeOf({ file, line, column }: SourceFrame): string {
  return [file, line, column].filter((part) => part !== null).join(':');
}
