import { Random } from '@tocsin/simulation/random';
import { it } from 'vitest';
import { DAY, HOUR, type Scenario } from '../risk/scenarios/scenario.ts';
import { startOf } from '../risk/scenarios/simulated-service.ts';
import { SCENARIOS } from '../risk/scenarios.ts';
import { AcceleratedService } from './accelerated-service.ts';
import { LiveProject } from './live-project.ts';
import { printIncidents } from './print-incidents.ts';
import { Watch } from './watch.ts';

/*
 * Troubles through the whole service: events go in over HTTP with a key, incidents come out over a WebSocket, the API
 * and the incident page in a browser. All scenarios run at once, each in an organization of its own, on one clock that
 * is set forward: by half hours during the history, minute by minute on the day of the trouble.
 */
const DEFAULT_IDS = ['1', '5a', '5b', '5c', '6', '9', '10', '11a', '11b', '11c', '11d', '15b'];
const ids = process.env.SCENARIOS?.split(',') ?? DEFAULT_IDS;
const seed = Number(process.env.SEED ?? 1);
const pictures = process.env.PICTURES ?? null;

/** A Tuesday: 15 days after the Monday on which simulated time begins. */
const TROUBLE_DAY = 15 * DAY;
/** Minutes that are sent and evaluated at once: detectors keep counts of up to an hour ahead. */
const HISTORY_MINUTES = 30;
const COARSE_MINUTES = 15;
/** An application sends what has gathered once a minute, at no fixed second. */
const random = new Random(1);
const receivedAfterMs = () => 5_000 + Math.floor(45_000 * random.uniform());

it('presents each incident alike in the frame, in the API and on the page', async ({ expect }) => {
  const startedMs = performance.now();
  const scenarios = ids.map(findScenario);
  const accelerated = await AcceleratedService.start(startOf(0));
  const projects: LiveProject[] = [];
  for (const scenario of scenarios) {
    projects.push(await LiveProject.create(accelerated.service, scenario, { troubleDay: TROUBLE_DAY, seed }));
  }
  let sent = 0;
  const pass = (minutes: number[]) =>
    accelerated.pass(minutes, {
      startOf,
      send: async (minute, setClock) => {
        setClock(startOf(minute) + receivedAfterMs());
        const sending = projects.filter((project) => project.isSending(minute));
        for (const count of await Promise.all(sending.map((project) => project.send(minute)))) sent += count;
      },
    });

  const logProgress = (minute: number) => {
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    console.log(`${minute / HOUR} hours of simulated time, ${sent} events, after ${seconds} s`);
  };

  const firstMinute = Math.min(...projects.map(({ span }) => span.firstMinute));
  for (let minute = firstMinute; minute < TROUBLE_DAY; minute += HISTORY_MINUTES) {
    await pass(minutesFrom(minute, HISTORY_MINUTES));
    if ((minute + HISTORY_MINUTES) % DAY === 0) logProgress(minute + HISTORY_MINUTES);
  }
  const watch = new Watch(accelerated, projects, pictures);
  await watch.connect();
  const endMinute = Math.max(...projects.map(({ span }) => span.endMinute));
  for (let minute = TROUBLE_DAY; minute < endMinute; ) {
    const isFine =
      minute < TROUBLE_DAY + DAY && projects.some(({ span }) => minute + COARSE_MINUTES > span.beginMinute);
    const step = isFine ? 1 : COARSE_MINUTES;
    await pass(minutesFrom(minute, step));
    await watch.check();
    minute += step;
    if (minute % (6 * HOUR) === 0) logProgress(minute);
  }
  const watched = await watch.finish();
  printIncidents(watched);
  expect(watched.flatMap(({ incidents }) => incidents.flatMap(({ differences }) => differences))).toEqual([]);
});

function findScenario(id: string): Scenario {
  const scenario = SCENARIOS.find((candidate) => candidate.id === id);
  if (!scenario) throw new Error(`There is no scenario ${id}: ${SCENARIOS.map((one) => one.id).join(', ')}.`);
  return scenario;
}

function minutesFrom(minute: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => minute + index);
}
