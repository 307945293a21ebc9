import type { Connection } from './connection.ts';
import type { LiveHints } from './live-hints.ts';
import { PrintedEvents } from './printed-events.ts';
import { type ApiRequest, asList, callApi, type Fields, TemporaryError } from './request.ts';

/** Minimum interval between two reads of the list, however many events come. */
const MIN_PAUSE_MS = 1_000;
/** Maximum interval without a hint: a proxy may close the WebSocket silently. */
const MAX_PAUSE_MS = 10_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
const PAGE = '500';

export interface FollowDependencies {
  connection: Connection;
  query: NonNullable<ApiRequest['query']>;
  hints: Pick<LiveHints, 'next'>;
  print: (events: Fields[]) => Promise<void>;
  /** Prints a note that is no event: the connection is lost, or restored. */
  notify: (text: string) => void;
  pause: (ms: number) => Promise<void>;
}

/**
 * Prints new events until an error that does not pass by itself, such as a revoked token. Each round reads the list
 * from a little before the newest printed event on and leaves out printed ones: so hints that were lost with a
 * connection do not matter. Never resolves.
 */
export async function followEvents(
  dependencies: FollowDependencies,
  first: { rows: Fields[]; serverTimeMs: number | null },
): Promise<never> {
  const { hints, notify, pause } = dependencies;
  const printed = new PrintedEvents(first.serverTimeMs);
  printed.take(first.rows, first.serverTimeMs);
  for (let failures = 0; ; ) {
    try {
      await printNew(dependencies, printed);
      if (failures > 0) notify('Connected again.');
      failures = 0;
    } catch (error) {
      if (!(error instanceof TemporaryError)) throw error;
      if (failures++ === 0) notify(`${error.message} Trying again…`);
      await pause(Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10)));
      continue;
    }
    await pause(MIN_PAUSE_MS);
    await hints.next(MAX_PAUSE_MS - MIN_PAUSE_MS);
  }
}

async function printNew(
  { connection, query, print }: FollowDependencies,
  printed: PrintedEvents,
): Promise<void> {
  const from = new Date(printed.horizonMs).toISOString();
  let cursor: string | undefined;
  for (;;) {
    const range = { ...query, from, order: 'asc', limit: PAGE, cursor };
    const { body, next, serverTimeMs } = await callApi(connection, { path: '/events', query: range });
    await print(printed.take(asList(body), serverTimeMs));
    if (next === null) return;
    cursor = next;
  }
}
