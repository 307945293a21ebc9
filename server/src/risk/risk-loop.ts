import type { LoopDeclaration } from '../platform/loop.ts';
import type { RiskWatch } from './live/watch.ts';

/** How often the risk loop makes a round. */
export interface RiskPace {
  /** The least time from the beginning of a round that took something in to the beginning of the next. */
  intervalMs: number;
  /** The same from the end of a round that updated an incident: the bound on its updates, at most one a second. */
  updateIntervalMs: number;
  /** How long it waits after a round that found nothing, unless processing in this process wakes it. */
  idleMs: number;
}

export const RISK_PACE: RiskPace = { intervalMs: 200, updateIntervalMs: 1_000, idleMs: 1_000 };
/** Of the time, the risk loop works at most so much, so that it takes little from intake where there are many series. */
const RISK_SHARE = 1 / 15;

/** @param isWoken true if processing in this process wakes the loop after every event */
export function declareRiskLoop(watch: RiskWatch, pace: RiskPace, isWoken: () => boolean): LoopDeclaration {
  return {
    name: 'risk',
    round: async () => {
      if (await watch.runOnce()) return watch.isBehind ? 'at once' : 'again';
      return watch.hasMadeRound ? 'done' : 'idle';
    },
    // Near the end of a step, or where others store events, what is due does not wake it.
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
