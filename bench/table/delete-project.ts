import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../support/database.ts';
import { createProject, startService } from '../support/processes.ts';
import { drain } from './drain.ts';
import { BEFORE_SECONDS, startNeighbour, toNeighbourRow } from './neighbour.ts';
import type { Options, Row } from './row.ts';
import { sendBulk } from './send-bulk.ts';

const EVENTS = 1_000_000;
const POLL_MS = 100;
/** Maintenance begins within a minute, and removes rows with pauses. */
const LIMIT_MS = 600_000;

/** A project of a million events is deleted while another one goes on sending 500 events a second. */
export async function measureDeletion({ log }: Options): Promise<Row[]> {
  const service = await startService();
  const large = await createProject(service.managementUrl);
  const other = await createProject(service.managementUrl);
  const client = await connect(service.dataDirectory);
  await sendBulk(service.ingestionUrl, large.apiKey, EVENTS);
  await drain(large);
  // Pending writes of the fill would be measured as the time before.
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
  log(`delete: ${EVENTS.toLocaleString('en-US')} events are stored`);

  const neighbour = startNeighbour(service.ingestionUrl, other.apiKey);
  await delay(BEFORE_SECONDS * 1_000);
  const deletedAt = performance.now();
  const answer = await fetch(`${service.managementUrl}/projects/${large.id}`, {
    method: 'DELETE',
    headers: { cookie: large.cookie },
  });
  if (answer.status !== 204) throw new Error(`The deletion was answered with ${answer.status}.`);
  const answerMs = performance.now() - deletedAt;
  const { beganAt, endedAt } = await watchRemoval(client);
  const sent = await neighbour.end();
  await client.end();
  await service.stop();

  const removedMs = endedAt - deletedAt;
  log(
    `delete: answered in ${answerMs.toFixed(0)} ms, removed from ${Math.round(beganAt - deletedAt)} to ${Math.round(removedMs)} ms`,
  );
  return [
    {
      what: `DELETE of a project of ${EVENTS.toLocaleString('en-US')} events: its answer`,
      value: answerMs,
      unit: 'ms',
      bar: { atMost: 500 },
      detail: 'one deletion',
    },
    toNeighbourRow('while they are removed', sent, { askedAt: deletedAt, beganAt, endedAt }),
    {
      what: '… until none of its rows is left',
      value: removedMs / 1_000,
      unit: 's',
      bar: null,
      detail: `removal begins with the next maintenance, after ${((beganAt - deletedAt) / 1_000).toFixed(0)} s; vacuum makes the space free for other events`,
    },
  ];
}

/** The row of the project is removed last. */
async function watchRemoval(client: Awaited<ReturnType<typeof connect>>) {
  const startedAt = performance.now();
  let beganAt = Number.NaN;
  for (;;) {
    const { rows } = await client.query<{ removed: string; left: string }>(
      `SELECT (SELECT sum(n_tup_del) FROM pg_stat_user_tables WHERE relname LIKE 'events\\_%')::text AS removed,
        (SELECT count(*) FROM projects WHERE deleted_at IS NOT NULL)::text AS left`,
    );
    const now = performance.now();
    if (Number.isNaN(beganAt) && Number(rows[0]?.removed) > 0) beganAt = now;
    if (rows[0]?.left === '0') return { beganAt, endedAt: now };
    if (now - startedAt > LIMIT_MS) throw new Error(`Rows of the project are left after ${LIMIT_MS} ms.`);
    await delay(POLL_MS);
  }
}
