/**
 * Keeps what is asked for often from being done often: it runs at once, then at most once an interval and never
 * twice at the same time, and always once more after it was last asked for.
 */
export function pace(run: () => unknown, intervalMs: number): () => void {
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

/** Hands over at once what comes first, and what comes within an interval together. */
export function gather<T>(take: (items: T[]) => void, intervalMs: number): (item: T) => void {
  let items: T[] = [];
  const hand = pace(() => {
    const taken = items;
    items = [];
    take(taken);
  }, intervalMs);
  return (item) => {
    items.push(item);
    hand();
  };
}

/** A run that fails must not be the last one; whoever runs says so where it matters. */
async function attempt(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(error);
  }
}
