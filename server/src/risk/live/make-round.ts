import { MAX_SERIES } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { RoundOutcome } from '../incidents/outcome.ts';
import type { DetectorStore } from './detector-store.ts';
import { gatherPart } from './gather-part.ts';
import { findReopened, type LostRounds } from './lost-rounds.ts';
import { type Failure, groupsOf, load, offloadColdest } from './offload.ts';
import { applyRound, type Round } from './round.ts';
import type { RoundInput } from './take-round.ts';
import { inTurns } from './turns.ts';

export interface MadeRound {
  round: Round;
  outcomes: Map<string, RoundOutcome>;
  /** Projects that could not be offloaded. */
  failures: Failure[];
}

interface Past {
  /** Downtimes before the round. */
  pastDowntimes: [number, number][];
  /** Earlier rounds that could not be applied. */
  lost: LostRounds | null;
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
  { pastDowntimes, lost, log }: Past,
): Promise<MadeRound | null> {
  const { deltas, errors } = taken;
  const isIdle = (projectId: string) => !deltas.has(projectId) && !errors.has(projectId);
  const idle = [...store.detectors.keys()].filter(isIdle);
  // Detectors that were in memory when rounds were lost and do not fit into it record them as well.
  const left = [...(lost?.projectIds ?? [])].filter((id) => isIdle(id) && !store.detectors.has(id));
  const visited = [...taken.visits, ...left];
  const first = await gatherPart(transaction, store.detectors, taken, { projectIds: idle, returned: [] });
  if (taken.isEmpty && first.set.length + first.resolved.length === 0 && !first.unlearned) return null;
  const made: MadeRound = { round: { ...first, visited }, outcomes: new Map(), failures: [] };
  if (lost) made.round.lost = { untilMs: lost.untilMs, incidents: {} };
  const apply = async (part: Round, projectIds: string[]) => {
    const isLostTo = (projectId: string) => lost?.projectIds.has(projectId) ?? false;
    const sets: [Round, string[], [number, number][]][] = [
      [part, projectIds.filter((projectId) => !isLostTo(projectId)), pastDowntimes],
    ];
    if (lost) {
      const own = projectIds.filter(isLostTo);
      const incidents = await findReopened(transaction, store.detectors, own);
      Object.assign(made.round.lost?.incidents ?? {}, incidents);
      const { untilMs } = lost;
      sets.push([{ ...part, lost: { untilMs, incidents } }, own, [[0, untilMs], ...pastDowntimes]]);
    }
    for (const [own, ownIds, downtimes] of sets) {
      const outcomes = await inTurns(applyRound(store.detectors, own, ownIds, downtimes));
      for (const [projectId, outcome] of outcomes) made.outcomes.set(projectId, outcome);
    }
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
