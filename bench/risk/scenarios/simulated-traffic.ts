import { createHash } from 'node:crypto';
import type { CountDelta, ErrorDelta } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { MINUTE_MS } from '../project.ts';
import type { Job, Project, Stream } from './project-definition.ts';
import { RHYTHMS } from './rhythms.ts';
import type { Trouble } from './scenario.ts';
import { type Wandering, wander } from './wandering.ts';

/** Events of a minute that are sent one by one, as a heartbeat sees them. */
const MAX_SCATTERED = 20;
/** Against the rounding of sixths. */
const EPSILON = 1e-9;
/** The traffic of a source and its errors wander together. */
const SOURCE_WANDERING = { sigma: 0.1, minutes: 60 };
/** The share of the payments that fail wanders by itself. */
const SHARE_WANDERING = { sigma: 0.4, minutes: 120 };

export interface TrafficOfMinute {
  deltas: CountDelta[];
  errors: ErrorDelta[];
}

interface Now {
  /** Since the midnight before a Monday. */
  minute: number;
  startMs: number;
  trouble: Trouble | null;
  /** Since the beginning of the trouble. */
  troubleMinute: number;
}

/** Events of a project, minute by minute. */
export class SimulatedTraffic {
  readonly #project: Project;
  readonly #seed: number;
  #random: Random;
  wandering: Wandering;

  /** @param saved the wandering at the beginning */
  constructor(project: Project, seed: number, saved: Wandering = {}) {
    this.#project = project;
    this.#seed = seed;
    this.#random = new Random(seed);
    this.wandering = { ...saved };
  }

  /** Draws other numbers from now on. */
  reseed(seed: number): void {
    this.#random = new Random(seed);
  }

  next(now: Now): TrafficOfMinute {
    const { trouble, troubleMinute } = now;
    const isOn = trouble !== null && troubleMinute >= 0;
    const isTroubled = isOn && troubleMinute < trouble.minutes;
    const traffic: TrafficOfMinute = { deltas: [], errors: [] };
    const peopleMinute = now.minute + (isOn ? (trouble.clockAheadMinutes ?? 0) : 0);
    for (const name of new Set(this.#project.streams.map(({ source }) => source))) {
      wander(this.wandering, name, { ...SOURCE_WANDERING, random: this.#random });
    }
    for (const stream of this.#project.streams) {
      const factor = isTroubled ? (trouble.factor?.(stream, troubleMinute) ?? 1) : 1;
      const rate = stream.perMinute * RHYTHMS[stream.rhythm](peopleMinute) * this.#factorOf(stream.source);
      const share = isTroubled ? trouble.failingShare : undefined;
      this.#send(traffic, stream, now.startMs, { rate: rate * factor, share });
    }
    if (isTroubled) {
      for (const stream of trouble.extra ?? []) {
        const even = stream.dispersion === 0 ? evenCount(stream.perMinute, troubleMinute) : undefined;
        this.#send(traffic, stream, now.startMs, { rate: stream.perMinute, share: undefined, even });
      }
    }
    for (const job of this.#project.jobs) {
      if (isTroubled && trouble.stoppedJobs?.includes(job.type)) continue;
      this.#run(traffic, job, now);
    }
    traffic.deltas.sort((left, right) => left.lastMs - right.lastMs);
    return traffic;
  }

  #factorOf(source: string): number {
    const { sigma } = SOURCE_WANDERING;
    return Math.exp(sigma * (this.wandering[source] ?? 0) - (sigma * sigma) / 2);
  }

  #send(
    traffic: TrafficOfMinute,
    stream: Stream,
    startMs: number,
    { rate, share, even }: { rate: number; share: number | undefined; even?: number | undefined },
  ): void {
    const count = even ?? this.#random.count(rate, stream.dispersion);
    const { type, source, severity } = stream;
    if (stream.failingShare === undefined) {
      this.#scatter(traffic, { type, source, severity, bucketMs: startMs, lastMs: startMs, count });
      if (severity === 'error') this.#describeErrors(traffic, stream, startMs, count);
      return;
    }
    const usual =
      stream.failingShare * wander(this.wandering, 'failing', { ...SHARE_WANDERING, random: this.#random });
    let failed = 0;
    for (let payment = 0; payment < count; payment++) {
      if (this.#random.uniform() < (share ?? Math.min(1, usual))) failed++;
    }
    const paid = { type, source, bucketMs: startMs, lastMs: startMs };
    this.#scatter(traffic, { ...paid, severity, count: count - failed });
    this.#scatter(traffic, { ...paid, severity: 'error', count: failed });
    this.#describeErrors(traffic, { ...stream, severity: 'error', errorGroups: 1 }, startMs, failed);
  }

  /** Few events come one by one, at random; many in one count. */
  #scatter({ deltas }: TrafficOfMinute, delta: CountDelta): void {
    if (delta.count > MAX_SCATTERED) {
      deltas.push(delta);
      return;
    }
    for (let event = 0; event < delta.count; event++) {
      const lastMs = delta.bucketMs + Math.floor(MINUTE_MS * this.#random.uniform());
      deltas.push({ ...delta, lastMs, count: 1 });
    }
  }

  /** One of each group that came; the groups are equally frequent. */
  #describeErrors({ errors }: TrafficOfMinute, stream: Stream, startMs: number, count: number): void {
    const { type, source, severity, errorGroups = 1, errorName = 'Failure' } = stream;
    const groups = new Set<number>();
    for (let event = 0; event < Math.min(count, MAX_SCATTERED); event++) {
      groups.add(Math.floor(errorGroups * this.#random.uniform()));
    }
    for (const group of groups) {
      const message = `${errorName} ${group} of ${source} ${type}`;
      errors.push({ fingerprint: fingerprintOf(message), type, source, severity, message, atMs: startMs });
    }
  }

  #run({ deltas }: TrafficOfMinute, job: Job, { minute, startMs }: Now): void {
    const nearest = Math.round((minute - job.atMinute) / job.everyMinutes);
    for (const run of [nearest - 1, nearest, nearest + 1]) {
      const jitter = job.jitterMinutes * new Random(Math.imul(this.#seed, 7_919) ^ run).normal();
      const at = run * job.everyMinutes + job.atMinute + jitter;
      if (at < minute || at >= minute + 1) continue;
      const lastMs = startMs + Math.floor((at - minute) * MINUTE_MS);
      const { type, source, severity } = job;
      deltas.push({ type, source, severity, bucketMs: startMs, lastMs, count: 1 });
    }
  }
}

/** Returns the events of a minute in which they are evenly spaced. */
function evenCount(perMinute: number, minute: number): number {
  return Math.floor(perMinute * (minute + 1) + EPSILON) - Math.floor(perMinute * minute + EPSILON);
}

const fingerprints = new Map<string, string>();

function fingerprintOf(message: string): string {
  const known = fingerprints.get(message);
  if (known !== undefined) return known;
  const fingerprint = createHash('sha256').update(message).digest('hex').slice(0, 16);
  fingerprints.set(message, fingerprint);
  return fingerprint;
}
