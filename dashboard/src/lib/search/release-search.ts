/** Parameters of the releases page besides the project. */
export interface ReleaseSearch {
  /** Later one of two releases to compare; `base` is the other. */
  release?: string | undefined;
  base?: string | undefined;
  /** True if the dialog that records a deploy is open. */
  record?: true | undefined;
}

/** Reads the parameters of a URL; a version that looks like a number stays text. */
export function readReleaseSearch(search: Record<string, unknown>): ReleaseSearch {
  const textOf = (value: unknown) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
  const [release, base] = [textOf(search.release), textOf(search.base)];
  return {
    ...(release !== undefined && { release }),
    ...(base !== undefined && { base }),
    ...(search.record === true && { record: true as const }),
  };
}
