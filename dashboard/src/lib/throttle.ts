/**
 * Runs immediately, then at most once per interval and never twice at the same time. A call during an interval leads
 * to one more run at its end.
 */
export function throttle(run: () => unknown, intervalMs: number): () => void {
  let wanted = false;
  let running = false;
  const go = async () => {
    running = true;
    while (wanted) {
      wanted = false;
      await Promise.all([attempt(run), new Promise((resolve) => setTimeout(resolve, intervalMs))]);
    }
    running = false;
  };
  return () => {
    wanted = true;
    if (!running) void go();
  };
}

/** Passes on the first item immediately, and those of each following interval together. */
export function batch<T>(run: (items: T[]) => void, intervalMs: number): (item: T) => void {
  let items: T[] = [];
  const flush = throttle(() => {
    const batched = items;
    items = [];
    run(batched);
  }, intervalMs);
  return (item) => {
    items.push(item);
    flush();
  };
}

/** A failed run must not prevent later ones; the caller reports failures that matter. */
async function attempt(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(error);
  }
}
