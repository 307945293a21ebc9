/** Codes in one run of an array, or in two where a ring ends between them. */
export interface CodeRuns {
  codes: Uint8Array;
  first: number;
  length: number;
  /** Place of the second run. */
  nextFirst: number;
  nextLength: number;
}

export function runOf(codes: Uint8Array): CodeRuns {
  return { codes, first: 0, length: codes.length, nextFirst: 0, nextLength: 0 };
}

/** Returns a copy of the codes, in their order. */
export function codesOf({ codes, first, length, nextFirst, nextLength }: CodeRuns): number[] {
  return [...codes.subarray(first, first + length), ...codes.subarray(nextFirst, nextFirst + nextLength)];
}

export function codeCount({ length, nextLength }: CodeRuns): number {
  return length + nextLength;
}
