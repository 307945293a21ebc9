import type { CountDelta, KindDelta } from '../detector/count-delta.ts';
import type { Verdict } from '../detector/finding.ts';
import { ProjectDetector, STEP_MS } from '../detector/project-detector.ts';
import type { RiskSettings } from '../schema.ts';
import { gapIn } from './passed-time.ts';

/**
 * Everything that goes into the detectors at once; plain JSON. What they are and what they say follows from the
 * rounds alone, so a worker that takes over applies those since the state was saved, and is where the last one was.
 */
export interface Round {
  id: number;
  /** Projects that are watched from now on, and the number that their first incident gets. */
  begun: { projectId: string; settings: RiskSettings; firstIncident: number }[];
  /** Settings that were changed. */
  set: { projectId: string; settings: RiskSettings }[];
  /** Incidents that people have resolved. */
  resolved: { projectId: string; incident: number }[];
  counts: Record<string, CountDelta[]>;
  kinds: Record<string, KindDelta[]>;
  /** Up to when time has passed, and the stretches of it in which nothing is known. */
  timeMs: number;
  gaps: [number, number][];
}

/** What a round brings for a project. */
export interface Outcome {
  verdicts: Verdict[];
  /** Further events of incidents that were open already, by their numbers. */
  raised: Map<number, number>;
  /** Events that came too late to be counted. */
  lateEvents: number;
  /** The numbers of the incidents that are not over. */
  open: number[];
  /** Why the project could not be judged: its detector is gone, and begins anew. */
  fault?: unknown;
}

/** Of a longer stretch in which nothing is known only so much is gone through: memories fade, and that is all. */
const LONGEST_UNKNOWN_MS = 4 * 60 * STEP_MS;

/** @returns what it brings, by project; projects for which that is nothing are left out */
export function applyRound(detectors: Map<string, ProjectDetector>, round: Round): Map<string, Outcome> {
  for (const { projectId, settings, firstIncident } of round.begun) {
    const startMs = Math.min(...(round.counts[projectId] ?? []).map(({ bucketMs }) => bucketMs));
    detectors.set(projectId, new ProjectDetector(startMs, settings, undefined, firstIncident));
  }
  for (const { projectId, settings } of round.set) detectors.get(projectId)?.set(settings);
  for (const { projectId, incident } of round.resolved) detectors.get(projectId)?.resolve(incident);
  const outcomes = new Map<string, Outcome>();
  for (const [projectId, detector] of detectors) {
    try {
      const outcome = applyTo(detector, round, projectId);
      const { verdicts, raised, lateEvents } = outcome;
      if (verdicts.length > 0 || raised.size > 0 || lateEvents > 0) outcomes.set(projectId, outcome);
    } catch (fault) {
      // One project must not silence all others.
      detectors.delete(projectId);
      outcomes.set(projectId, { verdicts: [], raised: new Map(), lateEvents: 0, open: [], fault });
    }
  }
  return outcomes;
}

function applyTo(detector: ProjectDetector, round: Round, projectId: string): Outcome {
  const verdicts: Verdict[] = [];
  const counts = round.counts[projectId] ?? [];
  let lateEvents = 0;
  for (const delta of counts.toSorted((left, right) => left.bucketMs - right.bucketMs)) {
    verdicts.push(...passTime(detector, Math.min(round.timeMs, delta.bucketMs), round.gaps));
    if (!detector.count(delta)) lateEvents += delta.count;
  }
  for (const kind of round.kinds[projectId] ?? []) detector.see(kind);
  verdicts.push(...passTime(detector, round.timeMs, round.gaps), ...detector.look());
  return { verdicts, raised: detector.takeRaised(), lateEvents, open: detector.incidents };
}

function passTime(detector: ProjectDetector, timeMs: number, gaps: [number, number][]): Verdict[] {
  const verdicts: Verdict[] = [];
  while (detector.stepMs + STEP_MS <= timeMs) {
    const [fromMs, toMs] = [detector.stepMs, detector.stepMs + STEP_MS];
    const gap = gapIn(gaps, fromMs, toMs);
    const unknownUntilMs = Math.min(timeMs, gap?.[1] ?? 0);
    if (unknownUntilMs - fromMs > LONGEST_UNKNOWN_MS) {
      detector.skipTo(unknownUntilMs - LONGEST_UNKNOWN_MS);
      continue;
    }
    const isKnown = gap === undefined;
    verdicts.push(...detector.endStepsBefore(toMs, isKnown));
  }
  return verdicts;
}
