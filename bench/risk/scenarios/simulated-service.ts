import {
  advance,
  DEFAULT_SETTINGS,
  type DetectorEvent,
  fromBytes,
  ProjectDetector,
  toBytes,
} from '@tocsin/detector';
import { START_MS } from '@tocsin/simulation/start';
import { MINUTE_MS } from '../project.ts';
import type { Project } from './project-definition.ts';
import type { Trouble } from './scenario.ts';
import { SimulatedTraffic, type TrafficOfMinute } from './simulated-traffic.ts';
import type { Wandering } from './wandering.ts';

/** A project and its detector at the end of a minute. */
export interface SavedService {
  state: Uint8Array;
  wandering: Wandering;
  minute: number;
}

export interface OngoingTrouble {
  trouble: Trouble;
  /** The minute in which it begins. */
  begin: number;
}

/** A simulated project, watched by the production code as the service does. Minutes count from a Monday's midnight. */
export class SimulatedService {
  readonly #detector: ProjectDetector;
  readonly #traffic: SimulatedTraffic;
  #minute: number;

  private constructor(traffic: SimulatedTraffic, detector: ProjectDetector, minute: number) {
    this.#traffic = traffic;
    this.#detector = detector;
    this.#minute = minute;
  }

  static begin(project: Project, seed: number, minute: number): SimulatedService {
    const detector = new ProjectDetector(startOf(minute), DEFAULT_SETTINGS);
    return new SimulatedService(new SimulatedTraffic(project, seed), detector, minute);
  }

  /** @param name name of the continuation: another name draws other counts */
  static resume(
    project: Project,
    seed: number,
    { state, wandering, minute, name }: SavedService & { name: string },
  ): SimulatedService {
    const saved = fromBytes(state);
    if (!saved) throw new Error('What was saved cannot be loaded.');
    const traffic = new SimulatedTraffic(project, seed, wandering);
    traffic.reseed(seed * 1_000_003 + hashOf(name));
    const detector = new ProjectDetector(startOf(minute), DEFAULT_SETTINGS, saved);
    return new SimulatedService(traffic, detector, minute);
  }

  get minute(): number {
    return this.#minute;
  }

  save(): SavedService {
    const { wandering } = this.#traffic;
    return { state: toBytes(this.#detector.save()), wandering: { ...wandering }, minute: this.#minute };
  }

  /** A minute: what was sent in it, and what the detector makes of it. */
  step(ongoing?: OngoingTrouble): { events: DetectorEvent[]; traffic: TrafficOfMinute } {
    const minute = this.#minute++;
    const startMs = startOf(minute);
    const untilMs = startMs + MINUTE_MS;
    const trouble = ongoing?.trouble ?? null;
    const troubleMinute = minute - (ongoing?.begin ?? 0);
    const traffic = this.#traffic.next({ minute, startMs, trouble, troubleMinute });
    if (trouble?.isUnknown === true && troubleMinute >= 0 && troubleMinute < trouble.minutes) {
      const events = [...advance(this.#detector, [], { untilMs, gaps: [[startMs, untilMs]] })].flat();
      return { events, traffic };
    }
    const before = [...advance(this.#detector, traffic.deltas, { untilMs: startMs, gaps: [] })];
    for (const error of traffic.errors) this.#detector.recordError(error);
    return { events: [...before, ...advance(this.#detector, [], { untilMs, gaps: [] })].flat(), traffic };
  }
}

export function startOf(minute: number): number {
  return START_MS + minute * MINUTE_MS;
}

function hashOf(text: string): number {
  return Array.from(text).reduce((hash, char) => Math.imul(hash, 31) + char.charCodeAt(0), 7);
}
