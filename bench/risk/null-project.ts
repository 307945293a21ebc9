import { DOWN, type RiskSeries, UP } from '@tocsin/detector';
import type { KindName } from '@tocsin/simulation/streams';
import type { Composition } from './composition.ts';
import { SimulatedProject } from './project.ts';

const WEEK = 10_080;
const POWER_MINUTES = 60;
/** Ten o'clock, when working hours are worked. */
const POWER_FROM_MINUTE = 600;
/** Working hours are known from their third week on. */
export const NULL_WEEKS = 3;

/** One project in which nothing is wrong, for three weeks. */
export interface NullJob {
  kind: KindName;
  composition: Composition;
  budget: number;
  seed: number;
}

export interface FalseIncident {
  /** From the start of the project. */
  minute: number;
  isDrop: boolean;
  what: string;
}

interface Tally {
  found: number;
  all: number;
}

export interface NullResult {
  incidents: FalseIncident[];
  /** The alarms of the incidents, the first ones included. */
  alarms: number;
  beatsMissed: number;
  rise: Tally;
  silence: Tally;
}

/** Runs a project in which each incident is false. Afterwards every series sends five times as much, and then nothing. */
export function runNullProject({ kind, composition, budget, seed }: NullJob): NullResult {
  const project = new SimulatedProject(kind, seed, budget, composition);
  const incidents: FalseIncident[] = [];
  let [alarms, beatsMissed] = [0, 0];
  while (project.minute < NULL_WEEKS * WEEK) {
    for (const event of project.step()) {
      if (event.kind !== 'opens' && event.kind !== 'attaches') continue;
      const { series, anomaly } = event;
      alarms++;
      if (anomaly.usualMinutes !== null) beatsMissed++;
      if (event.kind !== 'opens') continue;
      const { rule, side, observed, expected, windowMinutes } = anomaly;
      const what = `${rule} of ${describe(series)}: ${observed} in ${windowMinutes} min, expected ${expected.toPrecision(3)}`;
      incidents.push({ minute: project.minute, isDrop: side === DOWN, what });
    }
  }
  for (let minute = 0; minute < POWER_FROM_MINUTE; minute++) project.step();
  const saved = project.save();
  const { minute } = project;
  const rise = measurePower(project, 5, 0.1);
  project.load(saved, minute);
  const silence = measurePower(project, 0, 1);
  return { incidents, alarms, beatsMissed, rise, silence };
}

function describe({ kind, type, severity, source }: RiskSeries): string {
  return kind === 'events' ? `${severity} ${type} ${source}` : kind;
}

/** @param lowestMean lowest mean of the series of severity info that can show it within an hour */
function measurePower(project: SimulatedProject, factor: number, lowestMean: number): Tally {
  const keyOf = ({ type, source }: { type: string | null; source: string | null }) => `${type} ${source}`;
  const able = new Set(
    project.series
      .filter(({ key, mean }) => key.severity === 'info' && mean >= lowestMean)
      .map(({ key }) => keyOf({ type: key.type, source: key.source })),
  );
  const found = new Set<string>();
  for (let minute = 0; minute < POWER_MINUTES; minute++) {
    for (const event of project.step(() => factor)) {
      if (event.kind !== 'opens' && event.kind !== 'attaches') continue;
      const { series, anomaly } = event;
      if (series.kind !== 'events' || series.severity !== 'info') continue;
      if (anomaly.side === (factor > 1 ? UP : DOWN) && able.has(keyOf(series))) found.add(keyOf(series));
    }
  }
  return { found: found.size, all: able.size };
}
