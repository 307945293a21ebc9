import {
  advance,
  DEFAULT_SETTINGS,
  type DetectorEvent,
  fromBytes,
  ProjectDetector,
  toBytes,
} from '@tocsin/detector';
import { START_MS } from '@tocsin/simulation/start';
import { type Incident, IncidentLog } from './incident-log.ts';
import { DAY, type Scenario, type Trouble } from './scenario.ts';
import { SimulatedTraffic } from './simulated-traffic.ts';
import type { Wandering } from './wandering.ts';

const MINUTE_MS = 60_000;
const HISTORY_DAYS = 15;

/** A project at the end of its history; scenarios of one project share it. */
interface History {
  state: Uint8Array;
  wandering: Wandering;
}

export type Histories = Map<string, History>;

/** Runs the trouble of a scenario after its history. @returns the incidents that had part in it */
export function runScenario(scenario: Scenario, seed: number, histories: Histories): Incident[] {
  const { project, historyDays = HISTORY_DAYS, firstWeekday = 0, beginsAtMinute, trouble } = scenario;
  // The first of the history's days is counted from the Monday before it.
  const firstMinute = firstWeekday * DAY;
  const historyEnd = firstMinute + historyDays * DAY;
  const key = JSON.stringify([project.name, firstWeekday, historyDays, seed]);
  let history = histories.get(key);
  if (!history) {
    const warmUp = new ScenarioRun(scenario, seed, firstMinute);
    warmUp.runUntil(historyEnd);
    history = warmUp.save();
    histories.set(key, history);
  }
  const begin = historyEnd + beginsAtMinute;
  const run = new ScenarioRun(scenario, seed, historyEnd, history);
  run.runUntil(begin);
  const log = new IncidentLog(START_MS + begin * MINUTE_MS);
  run.runUntil(begin + trouble.minutes + scenario.watchMinutes, { trouble, begin, log });
  return log.incidents;
}

class ScenarioRun {
  readonly #detector: ProjectDetector;
  readonly #traffic: SimulatedTraffic;
  #minute: number;

  constructor(scenario: Scenario, seed: number, minute: number, history?: History) {
    const saved = history ? (fromBytes(history.state) ?? undefined) : undefined;
    if (history && !saved) throw new Error('What was saved cannot be loaded.');
    this.#detector = new ProjectDetector(START_MS + minute * MINUTE_MS, DEFAULT_SETTINGS, saved);
    this.#traffic = new SimulatedTraffic(scenario.project, seed, history?.wandering);
    if (history) this.#traffic.reseed(seed * 1_000_003 + hashOf(scenario.id));
    this.#minute = minute;
  }

  save(): History {
    return { state: toBytes(this.#detector.save()), wandering: { ...this.#traffic.wandering } };
  }

  runUntil(minute: number, troubled?: { trouble: Trouble; begin: number; log: IncidentLog }): void {
    while (this.#minute < minute) {
      for (const event of this.#step(troubled)) troubled?.log.add(event);
    }
  }

  #step(troubled: { trouble: Trouble; begin: number } | undefined): DetectorEvent[] {
    const minute = this.#minute++;
    const startMs = START_MS + minute * MINUTE_MS;
    const trouble = troubled?.trouble ?? null;
    const troubleMinute = minute - (troubled?.begin ?? 0);
    const { deltas, errors } = this.#traffic.next({ minute, startMs, trouble, troubleMinute });
    const isUnknown = trouble?.isUnknown === true && troubleMinute < trouble.minutes;
    const untilMs = startMs + MINUTE_MS;
    if (isUnknown) return [...advance(this.#detector, [], { untilMs, gaps: [[startMs, untilMs]] })].flat();
    const counted = [...advance(this.#detector, deltas, { untilMs: startMs, gaps: [] })];
    for (const error of errors) this.#detector.recordError(error);
    return [...counted, ...advance(this.#detector, [], { untilMs, gaps: [] })].flat();
  }
}

function hashOf(text: string): number {
  return Array.from(text).reduce((hash, char) => Math.imul(hash, 31) + char.charCodeAt(0), 7);
}
