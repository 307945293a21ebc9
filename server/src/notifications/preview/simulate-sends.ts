import type { RouteRule, SubjectChange } from '../../outbox/decide-delivery.ts';
import { decideAll } from '../../outbox/enqueue-changes.ts';
import { WEEK_MS } from '../../platform/durations.ts';
import { WINDOW_MS } from '../delivery/bound-storm.ts';
import { isCriticalOpening } from '../delivery/defer-messages.ts';
import { nextDigestTime } from '../delivery/digest-time.ts';
import { planSends } from '../delivery/plan-sends.ts';
import { followQuietPeriods, toQuiet } from '../delivery/quiet-period.ts';
import type { Budget, Situation, Step, Thread, WaitingDelivery } from '../delivery/situation.ts';
import type { QuietHours } from '../targets/quiet-hours.ts';

/** A route, with the settings of its target that matter. */
export interface SimulatedRoute {
  rule: RouteRule;
  maxPerWeek: number | null;
  canEdit: boolean;
  quietHours: QuietHours | null;
  /** Time zone of the digests beyond `maxPerWeek`. */
  timeZone: string;
}

export interface SimulatedSends {
  /** When each new message was sent, digests included. */
  messagesMs: number[];
  /** Storm digests among them, and those of messages beyond the budget. */
  digests: number;
  budgetDigests: number;
  edits: number;
  /** Changes that the route took; among them, those that quiet hours held, and those that were over by their end. */
  taken: number;
  held: number;
  dropped: number;
  /** Changes that came in a digest of messages beyond the budget. */
  overBudget: number;
}

/**
 * Simulates what a route would have sent of past changes to a target that accepts everything at once, by the
 * functions that decide and plan what is sent.
 * @param changes sorted by time
 */
export function simulateSends(route: SimulatedRoute, changes: readonly SubjectChange[]): SimulatedSends {
  const simulation = new Simulation(route);
  for (const change of changes) simulation.add(change);
  return simulation.end();
}

class Simulation {
  readonly #route: SimulatedRoute;
  readonly #quietAt: ((atMs: number) => Situation['quiet']) | null;
  readonly #result: SimulatedSends = {
    messagesMs: [],
    digests: 0,
    budgetDigests: 0,
    edits: 0,
    taken: 0,
    held: 0,
    dropped: 0,
    overBudget: 0,
  };
  readonly #threads = new Map<string, Thread>();
  readonly #resolved = new Set<string>();
  /** Deliveries by subject, and the subjects by the times at which one of them is due: storms have thousands. */
  readonly #waiting = new Map<string, WaitingDelivery[]>();
  readonly #due = new Map<number, Set<string>>();
  readonly #held = new Set<string>();
  #count = 0;
  /**
   * Messages of the last minutes, and of the week that the budget counts, as the log of deliveries would have them.
   */
  #singlesMs: number[] = [];
  #criticalsMs: number[] = [];
  #digestsMs: number[] = [];
  #usedMs: number[] = [];
  #budgetDigestMs: number | null = null;
  #nextDigestMs = -Infinity;

  constructor(route: SimulatedRoute) {
    this.#route = route;
    const { quietHours } = route;
    const follow = quietHours && followQuietPeriods(quietHours);
    this.#quietAt = follow && ((atMs) => toQuiet(quietHours, follow(atMs)));
  }

  add(change: SubjectChange): void {
    const nowMs = change.at.getTime();
    this.#runUntil(nowMs);
    const { subjectId, subjectKind, severity } = change;
    if (change.change === 'resolved') this.#resolved.add(subjectId);
    if (change.change === 'opened' || change.change === 'group_regressed') this.#resolved.delete(subjectId);
    const { rule, canEdit } = this.#route;
    const hasMessage = this.#threads.has(subjectId) || this.#waiting.has(subjectId);
    const [decided] = decideAll([rule], change, () => ({ hasMessage, hasEditable: canEdit && hasMessage }));
    if (decided?.decision.kind !== 'deliver') return;
    this.#result.taken++;
    this.#wait({
      id: String(this.#count++),
      routeId: rule.id,
      subjectId,
      subjectKind,
      change: change.change,
      severity,
      attempts: 0,
      createdMs: nowMs,
      dueMs: nowMs,
      deferredBy: null,
    });
    this.#run(nowMs);
  }

  end(): SimulatedSends {
    this.#runUntil(Infinity);
    return { ...this.#result, held: this.#held.size };
  }

  #wait(each: WaitingDelivery): void {
    this.#waiting.set(each.subjectId, [...(this.#waiting.get(each.subjectId) ?? []), each]);
    const subjects = this.#due.get(each.dueMs) ?? new Set();
    this.#due.set(each.dueMs, subjects.add(each.subjectId));
  }

  /** Sends everything that becomes due before a time, in order. */
  #runUntil(endMs: number): void {
    for (;;) {
      let dueMs = Infinity;
      for (const each of this.#due.keys()) dueMs = Math.min(dueMs, each);
      if (dueMs >= endMs) return;
      this.#run(dueMs);
    }
  }

  #run(nowMs: number): void {
    const subjectIds = new Set<string>();
    for (const [dueMs, subjects] of this.#due) {
      if (dueMs > nowMs) continue;
      for (const id of subjects) subjectIds.add(id);
      this.#due.delete(dueMs);
    }
    const waiting: WaitingDelivery[] = [];
    for (const id of subjectIds) {
      const group = this.#waiting.get(id) ?? [];
      // One delivery of the subject was due before and was sent with another change: the rest is due later.
      if (!group.some(({ dueMs }) => dueMs <= nowMs)) continue;
      for (const each of group) waiting.push(each);
      this.#waiting.delete(id);
    }
    const byId = new Map(waiting.map((each) => [each.id, each]));
    for (const step of planSends(this.#situation(waiting, nowMs))) this.#take(step, byId, nowMs);
  }

  #situation(waiting: readonly WaitingDelivery[], nowMs: number): Situation {
    const after = (times: number[], ms: number) => times.filter((at) => at > nowMs - ms);
    this.#singlesMs = after(this.#singlesMs, WINDOW_MS);
    this.#criticalsMs = after(this.#criticalsMs, WINDOW_MS);
    this.#digestsMs = after(this.#digestsMs, WINDOW_MS);
    this.#usedMs = after(this.#usedMs, WEEK_MS);
    const { canEdit } = this.#route;
    return {
      waiting,
      threads: this.#threads,
      recent: {
        messages: this.#singlesMs.length,
        criticals: this.#criticalsMs.length,
        digestsMs: this.#digestsMs,
      },
      canEdit,
      quiet: this.#quietAt?.(nowMs) ?? null,
      budgets: this.#budgets(nowMs),
      resolved: this.#resolved,
      nowMs,
      confirmedMs: nowMs,
    };
  }

  #budgets(nowMs: number): Map<string, Budget> {
    const { rule, maxPerWeek, timeZone } = this.#route;
    if (maxPerWeek === null) return new Map();
    if (this.#nextDigestMs <= nowMs) this.#nextDigestMs = nextDigestTime(timeZone, nowMs);
    return new Map([
      [
        rule.id,
        {
          maxPerWeek,
          used: this.#usedMs.length,
          lastDigestMs: this.#budgetDigestMs,
          nextDigestMs: this.#nextDigestMs,
        },
      ],
    ]);
  }

  #use(nowMs: number): void {
    if (this.#route.maxPerWeek !== null) this.#usedMs.push(nowMs);
  }

  #take(step: Step, byId: ReadonlyMap<string, WaitingDelivery>, nowMs: number): void {
    const result = this.#result;
    const { canEdit } = this.#route;
    switch (step.kind) {
      case 'postpone':
      case 'defer':
        for (const id of step.ids) {
          const each = byId.get(id);
          if (!each) continue;
          const deferredBy = step.kind === 'defer' ? step.by : each.deferredBy;
          if (deferredBy === 'quiet_hours') this.#held.add(id);
          this.#wait({ ...each, dueMs: step.untilMs, deferredBy });
        }
        return;
      case 'send':
        this.#threads.set(step.delivery.subjectId, { isEditable: canEdit, sentMs: nowMs });
        if (step.isEdit) result.edits++;
        else {
          result.messagesMs.push(nowMs);
          this.#singlesMs.push(nowMs);
          if (isCriticalOpening(step.delivery)) this.#criticalsMs.push(nowMs);
          this.#use(nowMs);
        }
        return;
      case 'digest':
        if (step.routeId !== null) {
          result.messagesMs.push(nowMs);
          result.budgetDigests++;
          result.overBudget += step.ids.length;
          this.#singlesMs.push(nowMs);
          this.#budgetDigestMs = nowMs;
          return;
        }
        if (canEdit && this.#digestsMs.length > 0) result.edits++;
        else {
          result.messagesMs.push(nowMs);
          result.digests++;
          this.#use(nowMs);
        }
        this.#digestsMs.push(nowMs);
        return;
      case 'drop':
        if (step.reason === 'resolved_meanwhile') result.dropped += step.ids.length;
        return;
      default:
    }
  }
}
