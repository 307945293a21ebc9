import type { LoopDeclaration } from '../platform/loop.ts';
import type { RiskWatch } from './live/watch.ts';

/** Intervals between rounds of the risk loop. */
export interface RiskPace {
  /** Minimum time from the beginning of a round with input to the beginning of the next. */
  intervalMs: number;
  /** The same from the end of a round that updated an incident: it limits its updates to one a second. */
  updateIntervalMs: number;
  /** Wait after a round without input, unless processing in this process wakes the loop. */
  idleMs: number;
}

export const RISK_PACE: RiskPace = { intervalMs: 200, updateIntervalMs: 1_000, idleMs: 1_000 };
/**
 * Maximum share of time in which the risk loop works, so that it takes little from intake if there are many series.
 */
const RISK_SHARE = 1 / 15;

/** @param isWoken true if processing in this process wakes the loop after every event */
export function declareRiskLoop(watch: RiskWatch, pace: RiskPace, isWoken: () => boolean): LoopDeclaration {
  return {
    name: 'risk',
    round: async () => {
      if (await watch.runOnce()) return watch.isBehind ? 'at once' : 'again';
      return watch.hasMadeRound ? 'done' : 'idle';
    },
    // Near the end of a step, or if other processes store events, no event wakes the loop.
    idleDelayMs: () => (isWoken() && watch.isFarFromStepEnd ? 2 * pace.idleMs : pace.idleMs),
    minIntervalMs: (tookMs) => restAfter(tookMs, watch.hasUpdated, pace),
  };
}

/** How long the risk loop rests, from the beginning of a round. */
function restAfter(tookMs: number, hasUpdated: boolean, { intervalMs, updateIntervalMs }: RiskPace): number {
  // From its end, so that two updates are never closer.
  if (hasUpdated) return tookMs + updateIntervalMs;
  return Math.max(intervalMs, Math.min(updateIntervalMs, tookMs / RISK_SHARE));
}
