/**
 * Repeats an answer while it is fresh; callers in the meantime share the one in progress. A failure is not repeated.
 * @param now milliseconds of a monotonic clock
 */
export function cacheFor<T>(
  maxAgeMs: number,
  work: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let freshUntilMs = Number.POSITIVE_INFINITY;
  return () => {
    if (answer && now() < freshUntilMs) return answer;
    freshUntilMs = Number.POSITIVE_INFINITY;
    answer = work().then(
      (result) => {
        freshUntilMs = now() + maxAgeMs;
        return result;
      },
      (error: unknown) => {
        answer = null;
        throw error;
      },
    );
    return answer;
  };
}
