import { type ProjectDetector, SeriesGroup } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import { MAX_ORGANIZATION_SERIES } from '../../src/risk/live/limit-series.ts';
import { scaled } from '../support/time-scale.ts';
import { Detection, type SentEvents, UNBOUNDED } from './detection.ts';

const PROJECTS = 11;
/** Series of one project; all projects together send more series than an organization may have. */
const TYPES = 480;
const typesOf = (project: number, types = TYPES, name = 'type'): SentEvents[] =>
  Array.from({ length: types }, (_, i) => ({ project, events: 3, type: `${name}-${i}` }));

/** The series of a project, and its counts in the current step. */
function summaryOf(detector: ProjectDetector | undefined) {
  const saved = detector?.save();
  const group = new SeriesGroup(1, 1, saved?.group);
  const countOf = (kind: string) => {
    const number = saved?.registry.series.findIndex((key) => key.kind === kind) ?? -1;
    return number === -1 ? 0 : group.countOf(number);
  };
  return {
    toldApart: saved?.registry.series.filter(({ kind }) => kind === 'events').length ?? 0,
    total: countOf('total'),
    others: countOf('other'),
  };
}

describe('the series of an organization', { timeout: scaled(120_000) }, async () => {
  const detection = await Detection.start(PROJECTS, UNBOUNDED);
  const stranger = await detection.addProject(await detection.service.signUp());
  const last = PROJECTS - 1;
  /** As the last test left them: it takes a second to load them all. */
  let latest: ReturnType<typeof summaryOf>[] = [];
  const summaries = async () => (latest = (await detection.detectors()).map(summaryOf));
  const sum = (values: number[]) => values.reduce((left, right) => left + right, 0);

  it('limits the series of an organization over all its projects in one round, and counts the rest in totals', async () => {
    const all = Array.from({ length: PROJECTS }, (_, project) => typesOf(project)).flat();
    await detection.pass(0, [...all, ...typesOf(stranger)]);
    const projects = (await summaries()).slice(0, PROJECTS);
    const toldApart = projects.map((project) => project.toldApart);
    expect(sum(toldApart)).toBeLessThanOrEqual(MAX_ORGANIZATION_SERIES);
    expect(sum(toldApart)).toBeGreaterThan(MAX_ORGANIZATION_SERIES - PROJECTS);
    expect(toldApart.slice(0, last)).toEqual(Array.from({ length: last }, () => TYPES));
    for (const { toldApart: series, total, others } of projects) {
      expect(total).toBe(3 * TYPES);
      expect(others).toBe(3 * (TYPES - series));
    }
  });

  it('takes no room from another organization at the limit on series', async () => {
    expect(latest[stranger]).toEqual({ toldApart: TYPES, total: 3 * TYPES, others: 0 });
    await detection.pass(0, typesOf(stranger, 10, 'more'));
    expect((await summaries())[stranger]?.toldApart).toBe(TYPES + 10);
  });

  it('keeps an organization at its limit in later rounds, and keeps counting its known series', async () => {
    const before = latest.map(({ toldApart }) => toldApart);
    await detection.pass(0, [...typesOf(0, 5), ...typesOf(0, 5, 'new'), ...typesOf(3, 400, 'new')]);
    const after = await summaries();
    expect(after.map(({ toldApart }) => toldApart)).toEqual(before);
    expect(after[0]).toMatchObject({ total: 3 * (TYPES + 10), others: 3 * 5 });
    expect(after[3]).toMatchObject({ total: 3 * (TYPES + 400), others: 3 * 400 });
  });

  it('tracks the same series of an organization when a leader applies the rounds again', async () => {
    const replayed = await detection.states();
    expect(await detection.countRounds()).toBeGreaterThan(0);
    await detection.watch.resign(60_000);
    expect(await detection.countRounds()).toBe(0);
    expect(await detection.states()).toEqual(replayed);
    await detection.replaceLeader();
    const others = latest[last]?.others ?? 0;
    await detection.pass(0, [{ project: last, events: 3, type: 'newest' }]);
    expect((await summaries())[last]?.others).toBe(others + 3);
  });

  it('accepts new series of an organization again when one of its projects is deleted', async () => {
    const before = latest[last]?.toldApart ?? 0;
    const { status } = await detection.user.api.delete(`/projects/${detection.projects[0]}`);
    expect(status).toBe(204);
    await detection.pass(0, typesOf(last, 20, 'later'));
    expect((await summaries())[last]?.toldApart).toBe(before + 20);
  });
});
