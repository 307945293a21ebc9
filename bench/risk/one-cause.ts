import { seedsOf } from '@tocsin/simulation/random';
import { median } from '../support/median.ts';
import type { Incident } from './scenarios/incident-log.ts';
import { type Histories, runScenario } from './scenarios/run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import { printTable } from './table.ts';
import type { EvaluationOptions } from './warm-projects.ts';

/** Scenarios in which one cause shows in several series, at once or one after the other. */
const ONE_CAUSE = ['1', '2', '5a', '5b', '5c', '6', '8', '9', '9b', '10', '13', '15', '17', '19'];

/** One cause that shows in several series should be one incident: with how many seeds it is. */
export function evaluateOneCause({ projects, half }: EvaluationOptions): void {
  const histories: Histories = new Map();
  let asOne = 0;
  let all = 0;
  const rows = ONE_CAUSE.map((id) => {
    const scenario = SCENARIOS.find((each) => each.id === id);
    if (!scenario) throw new Error(`There is no scenario ${id}.`);
    const runs = seedsOf(half, projects).map((seed) => runScenario(scenario, seed, histories));
    const found = runs.filter((incidents) => incidents.length > 0);
    const single = found.filter((incidents) => incidents.length === 1);
    const isOne = found.length > 0 && 2 * single.length > found.length;
    if (found.length > 0) all++;
    if (isOne) asOne++;
    return [
      id,
      scenario.title,
      found.length === 0 ? '' : median(found.map(alarmsOf)),
      runs.map((incidents) => incidents.length).join(' '),
      found.length === 0 ? 'not found' : isOne ? 'one' : 'several',
    ];
  });
  printTable('One cause', ['', 'Trouble', 'Alarms', 'Incidents of each seed', 'Grouped as'], rows);
  console.log(
    `\nOne incident, with most seeds, in ${asOne} of ${all} that are found (${ONE_CAUSE.length} scenarios).`,
  );
}

function alarmsOf(incidents: Incident[]): number {
  return incidents.reduce((sum, { alarms }) => sum + alarms.length, 0);
}
