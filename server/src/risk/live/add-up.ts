import {
  type Arrivals,
  type CountDelta,
  eventsKey,
  isCountedBy,
  isImport,
  isImportTail,
  isPayment,
  LATE_MS,
  MAX_SERIES,
} from '@tocsin/detector';
import { isErrorOrWorse } from '../../events/severity.ts';
import type { CountRule } from '../settings/schema.ts';
import { ArrivalSums } from './arrival-sums.ts';
import type { InboxDelta } from './inbox/queries.ts';

/** Data about a project that adding up its counts needs. */
export interface KnownProject {
  /** True if its detector already tells the series of these events apart. */
  hasSeries: (delta: CountDelta) => boolean;
  /** True if events of a source that came so late are evaluated. */
  isEvaluated: (source: string | null, lateMs: number, receivedMs: number) => boolean;
  /** True if the lateness of all events of a source is needed. */
  followsLateness: (source: string | null) => boolean;
  rules: CountRule[];
}

export interface AddedUp {
  counts: Record<string, CountDelta[]>;
  arrivals: Record<string, Arrivals>;
  /** Number of series of each project that its detector does not know, as far as they are told apart. */
  newSeries: Map<string, number>;
}

/**
 * Counts of each project: one delta for each series and bucket, and how late the sources of late events delivered.
 * New series beyond those that a detector has room for are folded into one per severity, so a round stays small,
 * however many distinct types a project sends.
 */
export function addUp(
  deltas: InboxDelta[],
  shiftMs: number,
  projectOf: (projectId: string) => KnownProject,
): AddedUp {
  const sums = new Map<string, ProjectSum>();
  const shifted = (delta: InboxDelta) => ({
    ...delta,
    bucketMs: delta.bucketMs + shiftMs,
    lastMs: delta.lastMs + shiftMs,
  });
  for (const { projectId, ...delta } of deltas.map(shifted)) {
    let sum = sums.get(projectId);
    if (!sum) {
      sum = new ProjectSum(projectOf(projectId));
      sums.set(projectId, sum);
    }
    sum.expect(delta);
  }
  for (const { projectId, ...delta } of deltas.map(shifted)) sums.get(projectId)?.add(delta);
  const added: AddedUp = { counts: {}, arrivals: {}, newSeries: new Map() };
  for (const [projectId, sum] of sums) {
    added.counts[projectId] = sum.counts();
    if (sum.newSeries > 0) added.newSeries.set(projectId, sum.newSeries);
    const arrivals = sum.arrivals();
    if (arrivals) added.arrivals[projectId] = arrivals;
  }
  return added;
}

class ProjectSum {
  readonly #project: KnownProject;
  readonly #sums = new Map<string, CountDelta>();
  readonly #newSeries = new Set<string>();
  readonly #arrivals: ArrivalSums;
  /** Sources with events of an import in this round. */
  readonly #importing = new Set<string | null>();

  constructor(project: KnownProject) {
    this.#project = project;
    this.#arrivals = new ArrivalSums(project.followsLateness);
  }

  /** Called for all deltas before `add`: the import of a source may begin and end within one round. */
  expect({ source, lateMs = 0, lastMs }: Omit<InboxDelta, 'projectId'>): void {
    if (isImport(lateMs) && !this.#project.isEvaluated(source, lateMs, lastMs)) this.#importing.add(source);
  }

  add({ lateMs = 0, capturedMs, isSpooled, ...delta }: Omit<InboxDelta, 'projectId'>): void {
    if (isSpooled) {
      this.#sum({ ...delta, isLate: true });
      return;
    }
    const { source, severity, bucketMs, lastMs } = delta;
    const isEvaluated = this.#isEvaluated(source, lateMs, lastMs);
    this.#arrivals.add({
      source,
      lateMs,
      firstMs: bucketMs,
      lastMs,
      events: delta.count,
      // The last events of an import are not evaluated either, but are not late according to reports.
      late:
        isEvaluated || lateMs <= LATE_MS
          ? null
          : { capturedMs: capturedMs ?? lastMs - lateMs, areErrors: isErrorOrWorse(severity) },
    });
    this.#sum(isEvaluated ? delta : { ...delta, isLate: true });
  }

  get newSeries(): number {
    return this.#newSeries.size;
  }

  counts(): CountDelta[] {
    return [...this.#sums.values()];
  }

  arrivals(): Arrivals | null {
    return this.#arrivals.take();
  }

  #isEvaluated(source: string | null, lateMs: number, receivedMs: number): boolean {
    if (!this.#project.isEvaluated(source, lateMs, receivedMs)) return false;
    return lateMs > LATE_MS || !isImportTail(lateMs) || !this.#importing.has(source);
  }

  #sum(delta: CountDelta): void {
    const series = eventsKey(delta.type, delta.severity, delta.source);
    const isTold = this.#isTold(series, delta);
    const name = `${delta.bucketMs} ${delta.isLate ? 'late ' : ''}${isTold ? series : this.#nameOfOthers(delta)}`;
    const sum = this.#sums.get(name);
    if (sum) {
      sum.count += delta.count;
      sum.lastMs = Math.max(sum.lastMs, delta.lastMs);
      if (delta.fields) sum.fields = addFields(sum.fields, delta.fields);
    } else {
      this.#sums.set(name, isTold ? delta : { ...delta, isOther: true });
    }
  }

  /** True if the series is told apart; late events begin no series. */
  #isTold(series: string, delta: CountDelta): boolean {
    if (this.#project.hasSeries(delta)) return true;
    if (delta.isLate) return false;
    if (this.#newSeries.has(series)) return true;
    if (this.#newSeries.size >= MAX_SERIES) return false;
    this.#newSeries.add(series);
    return true;
  }

  /** Name of a folded series: it unites only events that sums, rules and the share of payments count alike. */
  #nameOfOthers(delta: CountDelta): string {
    if (delta.isLate) return `other ${delta.severity}`;
    const rules = this.#project.rules.map((rule) => (isCountedBy(rule, delta) ? '1' : '0')).join('');
    return `other ${delta.severity} ${isPayment(delta)} ${rules}`;
  }
}

/** Adds the numbers of events that fulfil each condition. */
function addFields(sum: Record<string, number> = {}, more: Record<string, number>): Record<string, number> {
  const added = { ...sum };
  for (const [key, events] of Object.entries(more)) added[key] = (added[key] ?? 0) + events;
  return added;
}
