/** Reads a property of any value; one that cannot be read (a getter that throws) counts as absent. */
export function read(value: unknown, key: string): unknown {
  if (!isObject(value) && typeof value !== 'function') return undefined;
  return attempt(() => (value as Record<string, unknown>)[key]);
}

/** Runs code of the application, which may throw: then returns undefined. */
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
