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

/** Passes on the first item immediately, and the items of each following interval together. */
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

/** Runs and logs a failure, which must not prevent later runs; `run` itself reports failures that matter. */
async function attempt(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(error);
  }
}

/** Minimum time between readings, however many messages arrive. */
const READ_INTERVAL_MS = 500;
/** Maximum time that news wait until the page shows the same. */
const MAX_NEWS_WAIT_MS = 1_000;
/** Maximum time that a reading waits for the previous one, which it would cancel. */
const MAX_READ_MS = 10_000;

/**
 * Reads, then tells the news: the page and its toast then agree. The next reading does not cancel one, so a page
 * with slow answers still shows newer data while messages keep arriving.
 */
export function tellAfterReading<News>(
  read: () => Promise<void>,
  tell: (news: News) => void,
): (news: News | null) => void {
  let unread: News[] = [];
  const readNext = throttle(async () => {
    const news = unread;
    unread = [];
    const reading = read();
    await Promise.race([reading, passed(MAX_NEWS_WAIT_MS)]);
    for (const one of news) tell(one);
    await Promise.race([reading, passed(MAX_READ_MS)]);
  }, READ_INTERVAL_MS);
  return (news) => {
    if (news) unread.push(news);
    readNext();
  };
}

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
