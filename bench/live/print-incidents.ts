import { describeWish, formatMinutes } from '../risk/scenarios/assess.ts';
import { printTable } from '../risk/table.ts';
import type { WatchedIncident, WatchedProject } from './watch.ts';

const HEAD = ['', 'Trouble', 'Wanted', 'Frame after', 'Incidents', 'Severity', 'Page alike', 'Over after'];

/** A row for each scenario, then the title and the sentence of each incident, literally. */
export function printIncidents(projects: WatchedProject[]): void {
  printTable(
    'Scenarios through the service',
    HEAD,
    projects.map(({ project: { scenario }, incidents }) => [
      scenario.id,
      scenario.title,
      describeWish(scenario.wish),
      join(incidents, ({ frameMinutes }) => formatMinutes(frameMinutes)),
      incidents.length,
      join(incidents, (incident) => severitiesOf(incident).join(' → ')),
      join(incidents, ({ differences }) => (differences.length === 0 ? 'yes' : 'no')),
      join(incidents, ({ resolvedMinutes }) =>
        resolvedMinutes === null ? 'open' : formatMinutes(resolvedMinutes),
      ),
    ]),
  );
  for (const { project, before, incidents } of projects) {
    console.log(`\n${project.scenario.id}: ${project.scenario.title}`);
    for (const { title, sentence } of before) console.log(`  before: ${title} | ${sentence}`);
    for (const incident of incidents) console.log(linesOf(incident).join('\n'));
  }
}

function join(incidents: WatchedIncident[], describe: (incident: WatchedIncident) => string): string {
  return incidents.map(describe).join('; ');
}

function severitiesOf({ first, later }: WatchedIncident): string[] {
  const all = [first, ...later.map(({ headline }) => headline)].map(({ severity }) => severity);
  return all.filter((severity, index) => severity !== all[index - 1]);
}

function linesOf({ frameMinutes, first, later, differences }: WatchedIncident): string[] {
  return [
    ...[{ minutes: frameMinutes, headline: first }, ...later].map(
      ({ minutes, headline: { severity, title, sentence } }) =>
        `  +${formatMinutes(minutes)}, ${severity}: ${title}\n      ${sentence}`,
    ),
    ...differences.map((difference) => `  not alike: ${difference}`),
  ];
}
