import { MAX_SERIES } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { Log } from '../../platform/log.ts';
import { inTurns } from '../../platform/timing/turns.ts';
import type { RoundOutcome } from '../incidents/outcome.ts';
import type { DetectorStore } from './detector-store.ts';
import { gatherPart } from './gather-part.ts';
import { type Failure, groupsOf, load, offloadColdest } from './offload.ts';
import { applyRound, type Round } from './round.ts';
import type { RoundInput } from './take-round.ts';

export interface MadeRound {
  round: Round;
  outcomes: Map<string, RoundOutcome>;
  /** Projects that could not be offloaded. */
  failures: Failure[];
}

interface Past {
  /** Downtimes before the round. */
  pastDowntimes: [number, number][];
  log: Log;
}

/**
 * Applies a round's input to the detectors, in groups of projects: offloaded ones are loaded for it, and those beyond
 * the budget then are offloaded before the next group. Null if there is nothing to apply.
 */
export async function makeRound(
  transaction: Queryable,
  store: DetectorStore,
  taken: RoundInput,
  { pastDowntimes, log }: Past,
): Promise<MadeRound | null> {
  const { deltas, errors } = taken;
  const isIdle = (projectId: string) => !deltas.has(projectId) && !errors.has(projectId);
  const idle = [...store.detectors.keys()].filter(isIdle);
  const visited = taken.visits;
  const first = await gatherPart(transaction, store.detectors, taken, { projectIds: idle, returned: [] });
  if (taken.isEmpty && first.set.length + first.resolved.length === 0 && !first.unlearned) return null;
  const made: MadeRound = { round: { ...first, visited }, outcomes: new Map(), failures: [] };
  const apply = async (part: Round, projectIds: string[]) => {
    const outcomes = await inTurns(applyRound(store.detectors, part, projectIds, pastDowntimes));
    for (const [projectId, outcome] of outcomes) made.outcomes.set(projectId, outcome);
    store.touch(projectIds, part);
  };
  await apply(first, idle);
  const named = [...new Set([...deltas.keys(), ...errors.keys(), ...visited])];
  const added = (projectId: string) => Math.min(MAX_SERIES, deltas.get(projectId)?.length ?? 0);
  for (const group of await groupsOf(transaction, store, named, added)) {
    const returned = await load(transaction, store, group, { beforeRound: taken.id, log });
    const part = await gatherPart(transaction, store.detectors, taken, { projectIds: group, returned });
    await apply(part, group);
    addPart(made.round, part);
    for (const failure of await offloadColdest(transaction, store, part.timeMs)) made.failures.push(failure);
  }
  return made;
}

function addPart(round: Round, { begun, set, resolved, counts, errors, arrivals, ...others }: Round): void {
  for (const one of begun) round.begun.push(one);
  for (const one of set) round.set.push(one);
  for (const one of resolved) round.resolved.push(one);
  Object.assign(round.counts, counts);
  Object.assign(round.errors, errors);
  round.arrivals = Object.assign(round.arrivals ?? {}, arrivals);
  const { maxSeries, unlearned } = others;
  if (maxSeries) round.maxSeries = Object.assign(round.maxSeries ?? {}, maxSeries);
  if (unlearned) round.unlearned = Object.assign(round.unlearned ?? {}, unlearned);
}
