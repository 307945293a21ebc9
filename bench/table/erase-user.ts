import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../support/database.ts';
import type { PacedEvent } from '../support/paced.ts';
import { type BenchProject, createProject, startService } from '../support/processes.ts';
import { type Client, erasedUser, fillForErasure } from './fill-for-erasure.ts';
import { BEFORE_SECONDS, startNeighbour, toNeighbourRow } from './neighbour.ts';
import type { Measure, Row } from './row.ts';

const POLL_MS = 100;
const LIMIT_MS = 900_000;

/** A user of a tenth of a million events is erased while another project goes on sending 500 events a second. */
export const measureErasure = erasureOf(1_000_000, [10]);

/** The same for users of a thousandth, a hundredth and a tenth of ten million events, one after the other. */
export const measureLargeErasures = erasureOf(10_000_000, [1_000, 100, 10]);

/** @param shares one event in so many is of an erased user, and they lie apart from each other */
function erasureOf(events: number, shares: readonly number[]): Measure {
  return async ({ log }) => {
    const service = await startService();
    const large = await createProject(service.managementUrl);
    const other = await createProject(service.managementUrl);
    const client = await connect(service.dataDirectory);
    await fillForErasure(client, events, shares);
    log(`erase: ${events.toLocaleString('en-US')} events are stored`);

    const neighbour = startNeighbour(service.ingestionUrl, other.apiKey);
    const times: ErasureTimes[] = [];
    for (const share of shares) {
      await delay(BEFORE_SECONDS * 1_000);
      times.push(await erase(client, service.managementUrl, large, share));
      log(`erase: one of ${share} took ${((times.at(-1)?.tookMs ?? 0) / 1_000).toFixed(1)} s`);
    }
    const sent = await neighbour.end();
    await client.end();
    await service.stop();
    return times.flatMap((each) => toRows(each, events, sent));
  };
}

interface ErasureTimes {
  beganAt: number;
  tookMs: number;
  erased: number;
}

async function erase(
  client: Client,
  managementUrl: string,
  { id, cookie }: BenchProject,
  share: number,
): Promise<ErasureTimes> {
  const beganAt = performance.now();
  const answer = await fetch(`${managementUrl}/erasures`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: id, key: 'user_id', value: erasedUser(share) }),
  });
  if (answer.status !== 201) throw new Error(`The request was answered with ${answer.status}.`);
  const erased = await waitForEnd(client);
  return { beganAt, tookMs: performance.now() - beganAt, erased };
}

function toRows(
  { beganAt, tookMs, erased }: ErasureTimes,
  events: number,
  sent: readonly PacedEvent[],
): Row[] {
  return [
    {
      what: `Erasure of a user of ${erased.toLocaleString('en-US')} of ${events.toLocaleString('en-US')} events`,
      value: tookMs / 1_000,
      unit: 's',
      bar: { atMost: 300 },
      detail: 'from the request on, the wait for the queue included',
    },
    toNeighbourRow('meanwhile', sent, { askedAt: beganAt, beganAt, endedAt: beganAt + tookMs }),
  ];
}

/** Waits until the newest erasure is done. @returns number of erased events */
async function waitForEnd(client: Client): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await client.query<{ events: string; state: string }>(
      'SELECT events::text, state FROM erasures ORDER BY id DESC LIMIT 1',
    );
    if (rows[0]?.state === 'done') return Number(rows[0].events);
    if (performance.now() - startedAt > LIMIT_MS)
      throw new Error(`It is ${rows[0]?.state} after ${LIMIT_MS} ms.`);
    await delay(POLL_MS);
  }
}
