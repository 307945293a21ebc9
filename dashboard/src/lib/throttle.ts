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

/** Shortest time from one reading to the next, however many frames come. */
const READ_INTERVAL_MS = 500;
/** News wait this long for the page to show the same. */
const MAX_NEWS_WAIT_MS = 1_000;
/** The next reading, which would cancel the one before, waits this long for it. */
const MAX_READ_MS = 10_000;

/**
 * Reads, then tells the news: no page says otherwise beside its toast. A reading is not cancelled by the next one, so a page
 * whose answers are slow shows something newer even while frames keep coming.
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
