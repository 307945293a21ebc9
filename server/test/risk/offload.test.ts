import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';
import { Detection, type SentEvents, UNBOUNDED } from './detection.ts';

/** Room for about four projects of three series each. */
const FEW_SERIES = 12;
const PROJECTS = 12;
const everyProject = (sent: Omit<SentEvents, 'project'>): SentEvents[] =>
  Array.from({ length: PROJECTS }, (_, project) => ({ project, ...sent }));

describe('detection with less memory than its projects take', { timeout: scaled(120_000) }, async () => {
  const bounded = await Detection.start(PROJECTS, FEW_SERIES);
  const unbounded = await Detection.start(PROJECTS, UNBOUNDED);
  const both = async (act: (detection: Detection) => Promise<unknown>) => {
    await act(bounded);
    await act(unbounded);
  };
  const agree = async () => {
    expect(await bounded.states()).toEqual(await unbounded.states());
    expect(await bounded.incidents()).toEqual(await unbounded.incidents());
    expect(await bounded.decisions()).toEqual(await unbounded.decisions());
  };

  it('opens the same incidents with little memory as with enough, across gaps and new leaders', async () => {
    const random = new Random(11);
    for (let round = 0; round < rounds(50, 150); round++) {
      const sent = everyProject({ events: 0 })
        .filter(() => random.uniform() < 0.3)
        .map(({ project }) => ({
          project,
          events: 1 + random.poisson(10),
          severity: random.uniform() < 0.1 ? ('error' as const) : ('info' as const),
        }));
      const minutes = Math.floor(random.uniform() * 3);
      await both((detection) => detection.pass(minutes, sent));
      if (round % 40 === 20) await both((detection) => detection.passWithoutIngestion(7));
      if (round % 30 === 10) await bounded.replaceLeader();
      expect(bounded.watch.seriesInMemory).toBeLessThanOrEqual(FEW_SERIES);
    }
    expect((await bounded.listOffloaded()).length).toBeGreaterThanOrEqual(PROJECTS - 6);
    expect(await unbounded.listOffloaded()).toEqual([]);

    await both((detection) => detection.pass(1, everyProject({ events: 300, severity: 'error' })));
    expect(new Set((await bounded.incidents()).map(({ project }) => project)).size).toBe(PROJECTS);
    // The due visits are made, and the incidents are resolved.
    for (let i = 0; i < 20; i++) await both((detection) => detection.pass(15));
    await agree();
  });

  it('starts with less memory than the last leader had, and loses nothing', async () => {
    await both((detection) => detection.pass(2));
    // A burst in each project, whose end is detected between two saves.
    await both((detection) => detection.pass(1, everyProject({ events: 300, severity: 'error' })));
    const first = everyProject({ events: 30 }).slice(0, 1);
    const told = (await unbounded.decisions()).length;
    for (let i = 0; i < 90 && (await unbounded.decisions()).length === told; i++) {
      await both((detection) => detection.pass(1, first));
    }
    expect((await unbounded.decisions()).length).toBeGreaterThan(told);
    expect(await unbounded.countRounds()).toBeGreaterThan(0);
    await unbounded.replaceLeader(FEW_SERIES);
    await both((detection) => detection.pass(1, everyProject({ events: 10 })));
    expect(unbounded.watch.seriesInMemory).toBeLessThanOrEqual(FEW_SERIES);
    for (let i = 0; i < 10; i++) await both((detection) => detection.pass(15, first));
    await unbounded.replaceLeader(UNBOUNDED);
    await both((detection) => detection.pass(1, everyProject({ events: 10 })));
    await agree();
  });
});

describe('a project that is offloaded', { timeout: scaled(120_000) }, async () => {
  const detection = await Detection.start(3, 4);
  const other = (): SentEvents[] => [
    { project: 1, events: 5 },
    { project: 2, events: 5 },
  ];
  const random = new Random(5);
  const incidentsOfFirst = async () => (await detection.incidents()).filter(({ project }) => project === 0);

  it('opens an incident for the silence of an offloaded project', async () => {
    const hour = () =>
      Array.from({ length: 60 }, (): SentEvents[] => [{ project: 0, events: random.poisson(20) }]);
    for (let hours = 0; hours < 24; hours++) {
      await detection.sendMinutes(hour());
      await detection.runRounds();
    }
    expect(await detection.incidents()).toEqual([]);
    await detection.pass(1, other());
    expect(await detection.listOffloaded()).toHaveLength(2);
    for (let minute = 0; minute < 40; minute++) await detection.pass(1, other());
    expect(await incidentsOfFirst()).toMatchObject([
      { title: expect.stringMatching(/^No /), status: 'open' },
    ]);
  });

  it('continues an offloaded project with the current rules and without an incident that was resolved meanwhile', async () => {
    const [id] = detection.projects;
    const [incident] = (await detection.user.api.get(`/incidents?project_id=${id}`)).body;
    await detection.user.api.patch(`/incidents/${incident.id}`, { status: 'resolved' });
    const rules = [{ type: 'rare', severity: null, source: null, events: 2, minutes: 5 }];
    const answer = await detection.user.api.put(`/projects/${id}/risk`, { rules });
    expect(answer.status).toBe(200);
    await detection.pass(1, [{ project: 0, events: 2, type: 'rare' }]);
    const incidents = await incidentsOfFirst();
    expect(incidents.map(({ status }) => status)).toEqual(['resolved', 'open']);
  });
});

describe('a leader that takes over', { timeout: scaled(120_000) }, async () => {
  const detection = await Detection.start(6, 6);

  it('keeps offloaded projects as saved when a new leader applies later rounds', async () => {
    // The first round saves the state.
    await detection.pass(1, [{ project: 0, events: 3 }]);
    await detection.pass(1, everyProject({ events: 3 }).slice(0, 6));
    await detection.pass(1, [{ project: 0, events: 3 }]);
    const before = await detection.listOffloaded();
    expect(before.length).toBeGreaterThan(1);
    await detection.replaceLeader();
    await detection.pass(0, [{ project: 0, events: 3 }]);
    expect(await detection.listOffloaded()).toEqual(before);
  });
});
