import { setTimeout as delay } from 'node:timers/promises';
import { FAULTS } from './faults.ts';
import { describeRound, HEAD, inSeconds } from './report.ts';
import type { Tocsin } from './roles.ts';
import { runRound, type Scene } from './round.ts';

const REWOUND = 'tocsin_database_rewound_total';
/** The loss is a race: it does not happen in each round. */
const MAX_ROUNDS = 8;
/** How soon a rewound database is reported, once it answers again. */
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
    if (result.lost === 0) {
      if (reports.size > 0) return [`${[...reports.keys()].join(', ')} reported a rewind without a loss`];
      continue;
    }
    const backAt = result.faultAt + (result.intakeMs ?? Number.POSITIVE_INFINITY);
    for (const [name, at] of reports)
      console.log(`${name} reported it ${inSeconds(at - result.faultAt)} after the fault`);
    const isInTime = [...reports.values()].some((at) => at <= backAt + MAX_REPORT_MS);
    return isInTime ? [] : [`${result.lost} events are gone, and no process reported it in time`];
  }
  return [`no event was lost in ${MAX_ROUNDS} rounds: nothing was to be reported`];
}

/** Returns when each process reported a rewind. */
async function watchReports(tocsin: Tocsin, signal: AbortSignal): Promise<Map<string, number>> {
  const reports = new Map<string, number>();
  const before = await tocsin.readMetric(REWOUND);
  while (!signal.aborted) {
    for (const [name, value] of await tocsin.readMetric(REWOUND))
      if (value > (before.get(name) ?? 0) && !reports.has(name)) reports.set(name, performance.now());
    await delay(PAUSE_MS);
  }
  return reports;
}
