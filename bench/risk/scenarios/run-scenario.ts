import { type Incident, IncidentLog } from './incident-log.ts';
import { DAY, type Scenario } from './scenario.ts';
import { type SavedService, SimulatedService, startOf } from './simulated-service.ts';

const HISTORY_DAYS = 15;

/** Services at the end of their history, which scenarios of one project share. */
export type Histories = Map<string, SavedService>;

/** Runs the trouble of a scenario after its history. @returns the incidents that had part in it */
export function runScenario(scenario: Scenario, seed: number, histories: Histories): Incident[] {
  const { project, trouble } = scenario;
  const history = historyOf(scenario, seed, histories);
  const service = SimulatedService.resume(project, seed, { ...history, name: scenario.id });
  const begin = history.minute + scenario.beginsAtMinute;
  while (service.minute < begin) service.step();
  const log = new IncidentLog(startOf(begin));
  const end = begin + trouble.minutes + scenario.watchMinutes;
  while (service.minute < end) {
    for (const event of service.step({ trouble, begin }).events) log.add(event);
  }
  return log.incidents;
}

function historyOf(
  { project, historyDays = HISTORY_DAYS, firstWeekday = 0 }: Scenario,
  seed: number,
  histories: Histories,
): SavedService {
  const key = JSON.stringify([project.name, firstWeekday, historyDays, seed]);
  const known = histories.get(key);
  if (known) return known;
  const firstMinute = firstWeekday * DAY;
  const service = SimulatedService.begin(project, seed, firstMinute);
  while (service.minute < firstMinute + historyDays * DAY) service.step();
  const history = service.save();
  histories.set(key, history);
  return history;
}
