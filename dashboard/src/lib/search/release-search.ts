/** Parameters of the comparison of two releases besides the project. */
export interface ComparisonSearch {
  /** Default: the latest one. */
  release?: string | undefined;
  /** Default: the one before. */
  base?: string | undefined;
  /** Default: all watched ones. */
  environment?: string | undefined;
}

/** Parameters of the releases page besides the project; a comparison had its place there. */
export interface ReleaseSearch extends ComparisonSearch {
  /** True if the dialog that records a deploy is open. */
  record?: true | undefined;
}

/** Reads the parameters of a URL; a version that looks like a number stays text. */
export function readComparisonSearch(search: Record<string, unknown>): ComparisonSearch {
  const textOf = (value: unknown) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
  const [release, base, environment] = [search.release, search.base, search.environment].map(textOf);
  return {
    ...(release !== undefined && { release }),
    ...(base !== undefined && { base }),
    ...(environment !== undefined && { environment }),
  };
}

export function readReleaseSearch(search: Record<string, unknown>): ReleaseSearch {
  return { ...readComparisonSearch(search), ...(search.record === true && { record: true as const }) };
}
