import { setTimeout as delay } from 'node:timers/promises';
import { FAULTS } from './faults.ts';
import { describeRound, HEAD, inSeconds } from './report.ts';
import type { Tocsin } from './roles.ts';
import { runRound, type Scene } from './round.ts';

const REWOUND = 'tocsin_database_rewound_total';
/** The loss is a race: it does not happen in each round. */
const MAX_ROUNDS = 8;
/**
 * How soon a rewound database is reported after the last answer of the primary that is lost: this has two health checks
 * of HAProxy in it, and the 2 seconds in which an old primary may still vanish.
 */
const MAX_REPORT_MS = 5_000;
const PAUSE_MS = 250;

/** Freezes the primary until acknowledged events are gone; returns what does not hold, in sentences. */
export async function proveRewind(scene: Scene): Promise<string[]> {
  const { frozen } = FAULTS;
  if (!frozen) return [];
  if ((await scene.tocsin.readMetric(REWOUND)).size === 0) return [`no process has the metric ${REWOUND}`];
  console.log(HEAD);
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const stop = new AbortController();
    const watching = watchReports(scene.tocsin, stop.signal);
    const result = await runRound(scene, `frozen ${round}`, frozen);
    stop.abort();
    const reports = await watching;
    console.log(describeRound(frozen, result).row);
    // Commits without an acknowledgement may be gone all the same, and are reported as well.
    if (result.lost === 0) continue;
    const reportedAt = Math.min(...reports.values());
    const answeredAt = result.readAt.map((times) => times.findLast((at) => at < reportedAt) ?? 0);
    const lastAt = Math.max(result.endedAt, ...answeredAt);
    for (const [name, at] of reports)
      console.log(`${name} reported it ${inSeconds(at - lastAt)} after the last answer of the lost primary`);
    const isInTime = reportedAt <= lastAt + MAX_REPORT_MS;
    return isInTime ? [] : [`${result.lost} events are gone, and no process reported it in time`];
  }
  return [`no event was lost in ${MAX_ROUNDS} rounds: nothing was to be reported`];
}

/** Returns when each process reported a rewind. Accepts the database at the first one: until then an old primary is refused. */
async function watchReports(tocsin: Tocsin, signal: AbortSignal): Promise<Map<string, number>> {
  const reports = new Map<string, number>();
  const before = await tocsin.readMetric(REWOUND);
  let isAccepted = false;
  while (!signal.aborted) {
    for (const [name, value] of await tocsin.readMetric(REWOUND))
      if (value > (before.get(name) ?? 0) && !reports.has(name)) reports.set(name, performance.now());
    if (reports.size > 0 && !isAccepted) isAccepted = await accept(tocsin);
    await delay(PAUSE_MS);
  }
  return reports;
}

/** Returns true once the database is accepted: while no primary answers, it cannot be. */
async function accept(tocsin: Tocsin): Promise<boolean> {
  try {
    await tocsin.acceptDatabase();
    return true;
  } catch {
    return false;
  }
}
