import { planSends } from './plan-sends.ts';
import type { Recent, Situation, Step, WaitingDelivery } from './situation.ts';

/** Recent messages of a target that was sent nothing in the last minutes. */
export const NOTHING_RECENT: Recent = { messages: 0, criticals: 0, digestsMs: [] };

/** A delivery of an incident that is due since a time. */
export function aWaiting(id: string, nowMs: number, rest: Partial<WaitingDelivery> = {}): WaitingDelivery {
  return {
    id,
    subjectId: id,
    subjectKind: 'incident',
    change: 'opened',
    severity: 'error',
    attempts: 0,
    createdMs: nowMs,
    dueMs: nowMs,
    routeId: null,
    deferredBy: null,
    ...rest,
  };
}

/**
 * Plans for a target that has received nothing, edits nothing and has no quiet hours, except for what `rest` sets.
 */
export function planFor(waiting: WaitingDelivery[], nowMs: number, rest: Partial<Situation> = {}): Step[] {
  return planSends({
    waiting,
    threads: new Map(),
    recent: NOTHING_RECENT,
    canEdit: false,
    quiet: null,
    budgets: new Map(),
    resolved: new Set(),
    nowMs,
    confirmedMs: nowMs,
    ...rest,
  });
}
