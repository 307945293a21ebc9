import { planSends, type Recent, type Thread, type Waiting, WINDOW_MS } from '../delivery/plan-sends.ts';
import type { RouteRule, SubjectChange } from '../outbox/decide-delivery.ts';
import { decideAll } from '../outbox/enqueue-changes.ts';

export interface Simulated {
  /** When each message of its own went, digests included. */
  messagesMs: number[];
  digests: number;
  edits: number;
  /** Changes that the route took. */
  taken: number;
}

/**
 * What a route would have sent of past changes to a target that takes everything at once: by the functions that decide
 * and that plan what is sent.
 * @param changes in the order of time
 */
export function simulateSends(
  rule: RouteRule,
  changes: readonly SubjectChange[],
  canEdit: boolean,
): Simulated {
  const result: Simulated = { messagesMs: [], digests: 0, edits: 0, taken: 0 };
  const threads = new Map<string, Thread>();
  let waiting: Waiting[] = [];
  const recent: Recent = { messages: 0, digestsMs: [] };
  const singlesMs: number[] = [];

  const run = (nowMs: number) => {
    while (singlesMs[0] !== undefined && singlesMs[0] <= nowMs - WINDOW_MS) singlesMs.shift();
    recent.messages = singlesMs.length;
    recent.digestsMs = recent.digestsMs.filter((at) => at > nowMs - WINDOW_MS);
    for (const step of planSends({ waiting, threads, recent, canEdit, nowMs })) {
      if (step.kind === 'postpone') {
        const postponed = new Set(step.ids);
        waiting = waiting.map((each) => (postponed.has(each.id) ? { ...each, dueMs: step.untilMs } : each));
        continue;
      }
      const done = new Set(step.kind === 'send' ? [step.delivery.id, ...step.collapsed] : step.ids);
      waiting = waiting.filter(({ id }) => !done.has(id));
      if (step.kind === 'send') {
        if (step.isEdit) result.edits++;
        else singlesMs.push(nowMs);
        if (!step.isEdit) result.messagesMs.push(nowMs);
        threads.set(step.delivery.subjectId, { isEditable: canEdit, sentMs: nowMs });
      }
      if (step.kind === 'digest') {
        const isEdit = canEdit && recent.digestsMs.length > 0;
        if (isEdit) result.edits++;
        else {
          result.messagesMs.push(nowMs);
          result.digests++;
        }
        recent.digestsMs.push(nowMs);
      }
    }
  };
  /** Everything that becomes due before a time, in its order. */
  const runUntil = (endMs: number) => {
    for (;;) {
      const dueMs = waiting.reduce((least, each) => Math.min(least, each.dueMs), Infinity);
      if (dueMs >= endMs) return;
      const before = waiting;
      run(dueMs);
      // Nothing was done: the rest waits for what is to come.
      if (before === waiting) return;
    }
  };
  for (const [index, change] of changes.entries()) {
    const nowMs = change.at.getTime();
    runUntil(nowMs);
    const { subjectId } = change;
    const hasMessage = threads.has(subjectId) || waiting.some((each) => each.subjectId === subjectId);
    const [decided] = decideAll([rule], change, () => ({ hasMessage, hasEditable: canEdit && hasMessage }));
    if (decided?.decision.kind !== 'deliver') continue;
    result.taken++;
    const { subjectKind, severity } = change;
    waiting.push({
      id: String(index),
      subjectId,
      subjectKind,
      change: change.change,
      severity,
      attempts: 0,
      createdMs: nowMs,
      dueMs: nowMs,
    });
    run(nowMs);
  }
  runUntil(Infinity);
  return result;
}
