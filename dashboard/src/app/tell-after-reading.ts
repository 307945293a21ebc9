import { throttle } from '../lib/throttle.ts';

const TIMES = {
  /** Shortest time from one reading to the next, however many frames come. */
  intervalMs: 500,
  /** News wait this long for the page to show the same. */
  newsWaitMs: 1_000,
  /** The next reading waits this long for the one before, which it would cancel. */
  readingWaitMs: 10_000,
};

/**
 * Reads, then tells the news: no page says otherwise beside its toast. A reading is not cancelled by the next one, so a page
 * whose answers are slow shows something newer even while frames keep coming.
 */
export function tellAfterReading<News>(
  read: () => Promise<void>,
  tell: (news: News) => void,
  { intervalMs, newsWaitMs, readingWaitMs } = TIMES,
): (news: News | null) => void {
  let unread: News[] = [];
  const readNext = throttle(async () => {
    const news = unread;
    unread = [];
    const reading = read();
    await Promise.race([reading, passed(newsWaitMs)]);
    for (const one of news) tell(one);
    await Promise.race([reading, passed(readingWaitMs)]);
  }, intervalMs);
  return (news) => {
    if (news) unread.push(news);
    readNext();
  };
}

const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
