/** Reads a property of anything; one that cannot be read (a getter that throws) counts as absent. */
export function read(value: unknown, key: string): unknown {
  if (!isObject(value) && typeof value !== 'function') return undefined;
  return attempt(() => (value as Record<string, unknown>)[key]);
}

/** Runs what belongs to the application and may throw: then the answer is undefined. */
export function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
