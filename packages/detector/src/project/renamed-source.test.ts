import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { reloaded, warmDetector } from '../saving/testing.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';
import { STEP_MS } from './project-parts.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** A job that sends an event every so many minutes, and one time in five an error beside it. */
interface Job {
  source: string;
  type?: string;
  everyMinutes: number;
}

const SYNC: Job = { source: 'sync', everyMinutes: 5 };
const RENAMED: Job = { ...SYNC, source: 'sync-eu' };
const OTHERS: Job[] = [
  { source: 'backup', everyMinutes: 15 },
  { source: 'mail', everyMinutes: 2 },
];

/** A project of jobs, all of which send events of one type. */
class Jobs {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly #random: Random;
  #minute = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  static async afterFiveDays(): Promise<Jobs> {
    const jobs = new Jobs(2);
    jobs.detector = await warmDetector(import.meta.url, 'jobs', () => {
      const history = new Jobs(1);
      history.run(5 * DAY, [SYNC]);
      return history;
    });
    return jobs;
  }

  run(minutes: number, jobs: Job[]): DetectorEvent[] {
    return Array.from({ length: minutes }, () => {
      for (const { source, type = 'tick', everyMinutes } of [...OTHERS, ...jobs]) {
        if (this.#minute % everyMinutes !== 0) continue;
        this.count(source, { type });
        if (this.#random.uniform() < 0.2) this.count(source, { type, severity: 'error' });
      }
      this.#minute++;
      return this.detector.endStepsBefore(this.detector.stepMs + STEP_MS, true);
    }).flat();
  }

  count(source: string, { type = 'tick', severity = 'info', count = 1 }: Counted): void {
    const bucketMs = this.detector.stepMs;
    this.detector.count({ type, severity, source, bucketMs, lastMs: bucketMs + STEP_MS / 2, count });
  }
}

interface Counted {
  type?: string;
  severity?: 'info' | 'error';
  count?: number;
}

type Alarm = Extract<DetectorEvent, { kind: 'opens' | 'attaches' }>;
const alarmsOf = (events: DetectorEvent[]) =>
  events.filter((event): event is Alarm => event.kind === 'opens' || event.kind === 'attaches');
const openedOf = (events: DetectorEvent[]) => events.filter(({ kind }) => kind === 'opens');
const silencesOf = (events: DetectorEvent[]) =>
  alarmsOf(events).filter(({ series, anomaly }) => series.source === 'sync' && anomaly.rule === 'silence');
const offersOf = (events: DetectorEvent[]) => silencesOf(events).map(({ anomaly }) => anomaly.renamedTo);

describe('the silence of a source', () => {
  it('offers the new name of a source that was renamed, in one incident', async () => {
    const jobs = await Jobs.afterFiveDays();
    const events = jobs.run(DAY, [RENAMED]);
    expect(openedOf(events)).toHaveLength(1);
    expect(offersOf(events)).toEqual(['sync-eu']);
  });

  it.each<[string, Job, number]>([
    ['began two hours earlier', RENAMED, 2 * HOUR],
    ['sends at five times the rate', { ...RENAMED, everyMinutes: 1 }, 0],
    ['sends other types', { ...RENAMED, type: 'report' }, 0],
  ])('offers no name of a source that %s', async (_, job, minutesEarlier) => {
    const jobs = await Jobs.afterFiveDays();
    jobs.run(minutesEarlier, [SYNC, job]);
    const events = jobs.run(3 * HOUR, [job]);
    expect(offersOf(events)).toEqual([undefined]);
  });

  it('offers no name while the source sends events of another type', async () => {
    const jobs = await Jobs.afterFiveDays();
    const events = jobs.run(3 * HOUR, [RENAMED, { ...SYNC, type: 'report', everyMinutes: 4 }]);
    expect(offersOf(events)).toEqual([undefined]);
  });

  it.each([
    ['the larger one', 6, 12, ['sync-eu']],
    ['neither where both are equal', 10, 10, [undefined]],
  ] as const)('offers of two sources into which it was split %s', async (_, first, second, offers) => {
    const jobs = await Jobs.afterFiveDays();
    const events = jobs.run(DAY, [
      { ...RENAMED, everyMinutes: first },
      { source: 'sync-us', everyMinutes: second },
    ]);
    expect(openedOf(events)).toHaveLength(1);
    expect(offersOf(events)).toEqual(offers);
  });

  it('decides the same after saving and loading', async () => {
    const [kept, saved] = [await Jobs.afterFiveDays(), await Jobs.afterFiveDays()];
    for (const jobs of [kept, saved]) jobs.run(5, [RENAMED]);
    saved.detector = reloaded(saved.detector);
    const [silence, same] = [kept, saved].map((jobs) => jobs.run(30, [RENAMED])) as [
      DetectorEvent[],
      DetectorEvent[],
    ];
    expect(offersOf(silence)).toEqual(['sync-eu']);
    expect(same).toEqual(silence);
    saved.detector = reloaded(saved.detector);
    for (const jobs of [kept, saved]) jobs.count('sync-eu', { severity: 'error', count: 30 });
    const [trouble, sameTrouble] = [kept, saved].map((jobs) => jobs.run(1, [RENAMED]));
    expect(sameTrouble).toEqual(trouble);
  });
});

describe('the incident of a source that was renamed', () => {
  const isOfIncident = (number: number) => (event: Alarm) => event.incident === number;

  it('attaches later alarms of the new name to the silence of the former one', async () => {
    const jobs = await Jobs.afterFiveDays();
    const [silence] = silencesOf(jobs.run(90, [RENAMED]));
    jobs.count('sync-eu', { severity: 'error', count: 30 });
    const trouble = alarmsOf(jobs.run(1, [RENAMED])).filter(({ series }) => series.source === 'sync-eu');
    expect(trouble.length).toBeGreaterThan(0);
    expect(trouble.every(isOfIncident(silence?.incident ?? 0))).toBe(true);
  });

  it('attaches the silence of the former name to earlier alarms of the new one', async () => {
    const jobs = await Jobs.afterFiveDays();
    jobs.run(1, [SYNC, RENAMED]);
    jobs.count('sync-eu', { severity: 'error', count: 30 });
    const events = [...jobs.run(10, [SYNC, RENAMED]), ...jobs.run(HOUR, [RENAMED])];
    expect(openedOf(events)).toHaveLength(1);
    expect(offersOf(events)).toEqual(['sync-eu']);
  });
});
