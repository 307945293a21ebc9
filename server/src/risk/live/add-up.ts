import type { CountDelta } from '../detector/count-delta.ts';
import { isPayment } from '../detector/payment-ratio.ts';
import { matchesRule } from '../detector/rule-watch.ts';
import { nameOfEvents } from '../detector/series-key.ts';
import { MAX_SERIES } from '../detector/series-places.ts';
import type { CountRule } from '../schema.ts';
import type { InboxDelta } from './queries.ts';

/** What has to be known of a project to add up its counts. */
export interface KnownProject {
  /** Whether its detector tells the series of these events apart already. */
  knows: (delta: CountDelta) => boolean;
  rules: CountRule[];
}

/**
 * The counts of each project: one delta for each series and bucket. New series beyond those that a detector has
 * places for are folded into one per severity, so a round stays small, however many distinct types a project sends.
 */
export function addUp(
  deltas: InboxDelta[],
  shiftMs: number,
  projectOf: (projectId: string) => KnownProject,
): Record<string, CountDelta[]> {
  const sums = new Map<string, ProjectSum>();
  for (const { projectId, ...delta } of deltas) {
    let sum = sums.get(projectId);
    if (!sum) {
      sum = new ProjectSum(projectOf(projectId));
      sums.set(projectId, sum);
    }
    sum.add({ ...delta, bucketMs: delta.bucketMs + shiftMs, lastMs: delta.lastMs + shiftMs });
  }
  return Object.fromEntries([...sums].map(([projectId, sum]) => [projectId, sum.counts()]));
}

class ProjectSum {
  readonly #project: KnownProject;
  readonly #sums = new Map<string, CountDelta>();
  readonly #newSeries = new Set<string>();

  constructor(project: KnownProject) {
    this.#project = project;
  }

  add(delta: CountDelta): void {
    const series = nameOfEvents(delta.type, delta.severity, delta.source);
    const isTold = this.#isTold(series, delta);
    const name = `${delta.bucketMs} ${isTold ? series : this.#nameOfOthers(delta)}`;
    const sum = this.#sums.get(name);
    if (sum) {
      sum.count += delta.count;
      sum.lastMs = Math.max(sum.lastMs, delta.lastMs);
    } else {
      this.#sums.set(name, isTold ? delta : { ...delta, isOther: true });
    }
  }

  counts(): CountDelta[] {
    return [...this.#sums.values()];
  }

  #isTold(series: string, delta: CountDelta): boolean {
    if (this.#newSeries.has(series) || this.#project.knows(delta)) return true;
    if (this.#newSeries.size >= MAX_SERIES) return false;
    this.#newSeries.add(series);
    return true;
  }

  /** Folded are only events that are alike to everything but their series: sums, rules and the share of payments. */
  #nameOfOthers(delta: CountDelta): string {
    const rules = this.#project.rules.map((rule) => (matchesRule(rule, delta) ? '1' : '0')).join('');
    return `other ${delta.severity} ${isPayment(delta)} ${rules}`;
  }
}
