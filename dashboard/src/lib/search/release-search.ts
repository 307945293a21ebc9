/** The parameters of the releases page besides the project. */
export interface ReleaseSearch {
  /** Two releases to compare: the later one, and the one that it is compared with. */
  release?: string | undefined;
  base?: string | undefined;
  /** The dialog that records a deploy is open. */
  record?: true | undefined;
}

/** Reads the parameters of an address; a version that looks like a number stays text. */
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
