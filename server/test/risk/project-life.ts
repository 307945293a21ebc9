import { expect } from 'vitest';
import { toId, toUuid } from '../../src/platform/ids.ts';
import type { StillClock, TestClock } from '../support/clock.ts';
import type { TestService, TestUser } from '../support/service.ts';
import { evaluatedUntil, incidentsOf, insertHistory, passTime, queueEmptied } from './support.ts';

const MINUTE_MS = 60_000;

/** Event as an application sends it. */
export interface SentEvent {
  type: string;
  severity: string;
  source: string;
  message: string;
  release?: string;
  /** Number of users who have it in turn; unset for an event without users. */
  users?: number;
  payload?: Record<string, unknown>;
}

/** Event as it is stored, read by SQL of the tests. */
export interface StoredEvent {
  id: string;
  message: string;
  user: string | null;
  release: string | null;
  /** Value of `amount` in the payload. */
  amount: number | null;
  atMs: number;
}

/** Creates a project that sends events on a clock that its test advances, and reads its stored events. */
export async function beginProject(
  service: TestService,
  clock: TestClock | StillClock,
  user: TestUser,
  name?: string,
) {
  const { id, apiKey, ingest } = await user.createProject(name);
  /** Sends events in one request. */
  const sendAll = async (sent: readonly (readonly [count: number, event: SentEvent])[]) => {
    const events = sent.flatMap(([count, { users = 0, ...event }]) =>
      Array.from({ length: count }, (_, index) => ({
        ...event,
        ...(users > 0 && { correlation: { user_id: `${event.type}-${index % users}` } }),
      })),
    );
    if (events.length === 0) return;
    const { status } = await ingest.post('/ingest/bulk', events);
    if (status !== 202) throw new Error(`It was answered ${status}.`);
    await queueEmptied(service);
  };
  const send = (count: number, event: SentEvent) => sendAll([[count, event]]);
  /** Lets minutes pass, in each of which it sends. */
  const run = async (minutes: number, ...sent: [count: number, event: SentEvent][]) => {
    for (let minute = 0; minute < minutes; minute++) {
      for (const [count, event] of sent) await send(count, event);
      await passTime(service, clock, MINUTE_MS);
    }
    await evaluatedUntil(service, clock.now() - MINUTE_MS);
  };
  /** Gives the detector a day with so many events of a series each minute. */
  const learn = async (rate: number, { type, severity, source }: SentEvent) => {
    const series = { type, severity: severity.toLowerCase(), source };
    // A single one a minute is a heartbeat.
    const counts = Array.from({ length: 24 * 60 }, (_, minute) => rate + (rate > 1 ? minute % 3 : 0));
    await insertHistory(service.database, { projectId: id, series, nowMs: clock.now(), counts });
    await evaluatedUntil(service, clock.now() - MINUTE_MS);
  };
  /** Returns the stored events of a clause that were captured in a time range, newest first. */
  const stored = async (clause: string, fromMs = 0, untilMs = Number.MAX_SAFE_INTEGER) => {
    const { rows } = await service.database.pool.query<StoredEvent & { uuid: string }>(
      `SELECT id AS uuid, message, release, correlation ->> 'user_id' AS user,
          (payload -> 'amount')::int AS amount,
          ('x' || encode(substring(uuid_send(id) FOR 6), 'hex'))::bit(48)::bigint AS "atMs"
        FROM events WHERE project_id = $1 AND ${clause} ORDER BY id DESC`,
      [toUuid('proj', id)],
    );
    return rows
      .map(({ uuid, ...event }) => ({ ...event, id: toId('evt', uuid) }))
      .filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs);
  };
  /** Returns the only incident of the project. */
  const one = async () => {
    const incidents = await incidentsOf(user, id);
    expect(incidents).toHaveLength(1);
    return incidents[0];
  };
  return { id, apiKey, ingest, send, sendAll, run, learn, stored, one };
}
