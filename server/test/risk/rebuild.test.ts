import { randomUUID } from 'node:crypto';
import { DETECTOR_VERSION, fieldKey, type ProjectDetector } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FieldCondition } from '../../src/events/field-schema.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { runRebuild } from '../../src/risk/rebuild/run-rebuild.ts';
import { insertPastCounts, type PastSeries } from '../support/past-counts.ts';
import { rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { Detection, MINUTE_MS, UNBOUNDED } from './detection.ts';
import { insertInboxRow } from './support.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
/** Minutes after which a detector tells a burst from what is usual; in the long form a whole day. */
const LEARNED = rounds(6 * HOUR, DAY);
/** Limit longer than any save takes. */
const LONG_MS = 60_000;
const ORDERS: PastSeries = { type: 'order', severity: 'info', source: 'web' };
const ERRORS: PastSeries = { type: 'checkout', severity: 'error', source: 'web' };
const KNOWN = '00c0ffee00c0ffee';
const UNKNOWN = '0badc0de0badc0de';
/** Usual events a minute. */
const USUAL: (PastSeries & { rate: number })[] = [
  { ...ORDERS, rate: 30 },
  { ...ERRORS, rate: 0.4 },
  { type: 'refund', severity: 'warn', source: 'web', rate: 3 },
];

/**
 * Detection whose events are stored as well: their counts, by the minute.
 * @param lateMinutes time from the capture of events to their receipt
 */
async function start(projects: number, { lateMinutes = 0 } = {}) {
  const detection = await Detection.start(projects, UNBOUNDED);
  const { pool } = detection.service.database;
  const { organizationId } = detection.user;
  onTestFinished(() => detection.watch.resign(0));
  const random = new Random(5);
  const draw = (rates: typeof USUAL) =>
    rates.map(({ rate, type, severity }) => ({ type, severity, events: random.poisson(rate) }));

  /** Sends minutes of the same counts to all projects, and stores them. */
  async function run(minutes: number, rates = USUAL) {
    const sent = Array.from({ length: minutes }, () => draw(rates));
    const startMs = (Math.floor(detection.clock.now() / MINUTE_MS) - lateMinutes) * MINUTE_MS;
    for (const id of detection.projects) {
      for (const [index, { type, severity, source }] of rates.entries()) {
        const counts = sent.map((minute) => minute[index]?.events ?? 0);
        await insertPastCounts(pool, { organizationId, id }, { type, severity, source }, { startMs, counts });
      }
    }
    const ofAll = (minute: (typeof sent)[number]) =>
      detection.projects.flatMap((_, project) =>
        minute.filter(({ events }) => events > 0).map((each) => ({ project, ...each })),
      );
    await detection.sendMinutes(sent.map(ofAll));
    await detection.runRounds();
  }

  /** Stops the worker as an update does, and lets the next version of the detector have saved a project. */
  async function update(project = 0) {
    await detection.watch.resign(LONG_MS);
    const place = '{"version":'.length + 5;
    const { rowCount } = await pool.query(
      `UPDATE risk_state SET state = overlay(state PLACING $2::bytea FROM $3 FOR 1) WHERE project_id = $1`,
      [toUuid('proj', detection.projects[project] ?? ''), Buffer.from(`${DETECTOR_VERSION + 1}`), place],
    );
    expect(rowCount).toBe(1);
    await detection.replaceLeader();
  }

  const countQueued = async () => (await pool.query('SELECT FROM risk_rebuilds')).rowCount;
  /** Lets minutes pass, and waits in each for the background, until all projects are rebuilt. */
  async function rebuild(rates = USUAL) {
    const queued = [await countQueued()];
    do {
      if (queued.length > 5) throw new Error('The projects were not rebuilt.');
      await run(1, rates);
      await detection.rebuilder.start();
      queued.push(await countQueued());
    } while (queued.at(-1) !== 0);
    expect(queued.some((projects) => projects !== 0)).toBe(true);
  }

  /** Queues all projects, whose detectors go on meanwhile. */
  async function queueAll() {
    const ids = detection.projects.map((id) => toUuid('proj', id));
    await pool.query(
      `INSERT INTO risk_rebuilds (project_id, active_ms, since_ms)
        SELECT id, 0, time_ms FROM unnest($1::uuid[]) AS id, risk_progress`,
      [ids],
    );
  }

  /** Holds rebuilds back. @returns lets them go on */
  function hold() {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const { rebuild: make } = detection;
    detection.rebuild = async (...task) => released.then(() => make(...task));
    return release;
  }

  return { detection, pool, run, update, rebuild, countQueued, queueAll, hold };
}

/** Returns what would open an incident now, and the usual rate, of each series. */
function thresholdsOf(detector: ProjectDetector | undefined) {
  const series = detector?.describeSeries() ?? [];
  return new Map(
    series.flatMap(({ series: { kind, type }, perMinute, opening }) => [
      [`${kind} ${type}: usual`, perMinute] as const,
      ...opening.flatMap(({ stepMinutes, windowMinutes, rise, drop }) => {
        const name = `${kind} ${type}: ${windowMinutes} of ${stepMinutes}`;
        return [[`${name}, rise`, rise] as const, [`${name}, drop`, drop] as const];
      }),
    ]),
  );
}

/** Expects the thresholds of a detector to be those of another, within a tenth and an event. */
function expectSameThresholds(actual: ProjectDetector | undefined, expected: ProjectDetector | undefined) {
  const [own, others] = [thresholdsOf(actual), thresholdsOf(expected)];
  expect(others.size).toBeGreaterThan(10);
  const differing = [...others].filter(([name, value]) => {
    const same = own.get(name);
    if (value === null || same === null || same === undefined) return same !== value;
    return Math.abs(same - value) > Math.max(0.1 * value, 1);
  });
  expect(differing.map(([name, value]) => [name, value, own.get(name)])).toEqual([]);
}

const burst = [{ ...ORDERS, rate: 30 }, { ...ERRORS, rate: 60 }, ...USUAL.slice(2)];
const outage = [{ ...ORDERS, rate: 0 }, ...USUAL.slice(1)];

describe('a state that another version has saved', { timeout: scaled(300_000) }, () => {
  it('reaches the thresholds of the uninterrupted run by replaying the stored counts', async () => {
    const { detection, run, update, rebuild } = await start(2);
    await run(rounds(DAY / 2, 3 * DAY));
    await update();
    await rebuild();
    // Until then windows of 30 minutes hold the unknown ones.
    await run(40);
    const [rebuilt, uninterrupted] = await detection.detectors();
    expectSameThresholds(rebuilt, uninterrupted);
    expect(await detection.incidents()).toEqual([]);
  });

  it('reports nothing about the past, and has the same state after a crash', async () => {
    const { detection, run, update, rebuild } = await start(1);
    await run(LEARNED);
    await run(10, burst);
    await run(LEARNED);
    const before = [await detection.incidents(), await detection.decisions()];
    expect(before[0]).toMatchObject([{ status: 'resolved' }]);
    await update();
    await rebuild();
    await run(3);
    expect([await detection.incidents(), await detection.decisions()]).toEqual(before);
    // A worker that takes over applies the rounds since the saved state, and has the state that this one has.
    const replayed = await detection.states();
    await detection.watch.resign(LONG_MS);
    expect(await detection.states()).toEqual(replayed);
    await detection.replaceLeader();
    await run(2);
    expect(await detection.incidents()).toEqual(before[0]);
  });

  it('leaves the incident open that was open at an update, and resolves it when its counts return', async () => {
    const { detection, run, update, rebuild, hold } = await start(1);
    await run(LEARNED);
    await run(5, burst);
    const [opened] = await detection.incidents();
    expect(opened).toMatchObject({ number: 1, status: 'open' });
    await update();
    const release = hold();
    await run(10, burst);
    release();
    await rebuild(burst);
    await run(40, burst);
    expect(await detection.incidents()).toEqual([opened]);
    const [detector] = await detection.detectors();
    expect(detector?.incidents).toEqual([1]);
    await run(2 * HOUR);
    expect(await detection.incidents()).toEqual([{ ...opened, status: 'resolved' }]);
    await run(2, burst);
    expect(await detection.incidents()).toMatchObject([{ number: 1 }, { number: 2, status: 'open' }]);
  });

  it('keeps an incident about what stopped, which the detector that watches meanwhile knows nothing of', async () => {
    const { detection, run, update, rebuild, hold } = await start(1);
    await run(DAY);
    await run(15, outage);
    const opened = await detection.incidents();
    expect(opened).toMatchObject([{ number: 1, status: 'open' }]);
    await update();
    const release = hold();
    await run(HOUR, outage);
    expect(await detection.incidents()).toEqual(opened);
    release();
    await rebuild(outage);
    await run(HOUR, outage);
    expect(await detection.incidents()).toEqual(opened);
    await run(HOUR);
    expect(await detection.incidents()).toEqual([{ ...opened[0], status: 'resolved' }]);
  });

  it('reports what begins during a rebuild', async () => {
    const { detection, run, update, rebuild, hold } = await start(1);
    await run(LEARNED);
    await update();
    const release = hold();
    await run(8, outage);
    expect(await detection.incidents()).toEqual([]);
    release();
    await rebuild(outage);
    expect(await detection.incidents()).toMatchObject([{ number: 1, status: 'open' }]);
    await run(40, outage);
    expect(await detection.incidents()).toHaveLength(1);
  });

  it('keeps the incident that the detector opened which watched meanwhile, as one', async () => {
    const { detection, run, update, rebuild, hold } = await start(1);
    await run(LEARNED);
    await update();
    const release = hold();
    await run(15, burst);
    const opened = await detection.incidents();
    expect(opened).toMatchObject([{ number: 1, status: 'open' }]);
    release();
    await rebuild(burst);
    await run(30, burst);
    expect(await detection.incidents()).toEqual(opened);
    await run(2 * HOUR);
    expect(await detection.incidents()).toEqual([{ ...opened[0], status: 'resolved' }]);
  });

  it('does not report an incident again that a person resolved during a rebuild', async () => {
    const { detection, pool, run, update, rebuild, hold } = await start(1);
    await run(LEARNED);
    await update();
    const release = hold();
    await run(15, burst);
    expect(await detection.incidents()).toMatchObject([{ number: 1, status: 'open' }]);
    const { body } = await detection.user.api.get(`/incidents?project_id=${detection.projects[0]}`);
    const answer = await detection.user.api.patch(`/incidents/${body[0].id}`, { status: 'resolved' });
    release();
    expect(answer.status).toBe(200);
    await pool.query('UPDATE incidents SET resolved_at = $1', [new Date(detection.clock.now())]);
    await rebuild(burst);
    expect(await detection.incidents()).toMatchObject([{ number: 1, status: 'resolved' }]);
  });

  it('opens no incident for a sender whose events come four minutes after their capture', async () => {
    const { detection, run, update, rebuild } = await start(1, { lateMinutes: 4 });
    await run(LEARNED);
    await update();
    await rebuild();
    await run(20);
    expect(await detection.incidents()).toEqual([]);
  });

  it('leaves a project of a full organization the series that it had', async () => {
    const { detection, pool, run, rebuild, queueAll } = await start(1);
    await run(10);
    await detection.watch.resign(LONG_MS);
    await pool.query('UPDATE risk_state SET series = 5000');
    const limits: (number | undefined)[] = [];
    const works = detection.rebuild;
    detection.rebuild = async (task, ...rest) => {
      limits.push(task.maxSeries);
      return works(task, ...rest);
    };
    await queueAll();
    await detection.replaceLeader();
    await rebuild();
    expect(limits).toEqual([undefined]);
  });

  it('knows the errors of before, and reports new ones', async () => {
    const { detection, pool, run, update, rebuild } = await start(1);
    const [projectId, organizationId] = [
      toUuid('proj', detection.projects[0] ?? ''),
      toUuid('org', detection.user.organizationId),
    ];
    const fail = async (fingerprint: string) => {
      const atMs = detection.clock.now();
      const delta = { projectId, ...ERRORS, bucketMs: atMs, count: 1, lastMs: atMs };
      const error = { projectId, ...ERRORS, fingerprint, message: 'It failed', atMs };
      await insertInboxRow(pool, [delta], [error]);
    };
    await run(DAY);
    const groupId = randomUUID();
    const seen = new Date(detection.clock.now() - HOUR * MINUTE_MS);
    await pool.query(
      `INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, type, source, severity, count,
          first_seen, last_seen)
        VALUES ($1, $2, $3, 1, $4, 'It failed', $5, $6, $7, 1, $8, $8)`,
      [groupId, organizationId, projectId, KNOWN, ERRORS.type, ERRORS.source, ERRORS.severity, seen],
    );
    await pool.query(
      'INSERT INTO group_fingerprints (project_id, fingerprint, group_id, number) VALUES ($1, $2, $3, 1)',
      [projectId, KNOWN, groupId],
    );
    await run(HOUR);
    await update();
    await rebuild();
    await fail(KNOWN);
    await run(2);
    expect(await detection.incidents()).toEqual([]);
    await fail(UNKNOWN);
    await run(2);
    expect(await detection.incidents()).toMatchObject([{ number: 1, status: 'open' }]);
  });

  it('learns nothing from past times that were silenced without learning', async () => {
    const { detection, pool, run, update, rebuild } = await start(2);
    const { organizationId } = detection.user;
    const startMs = detection.clock.now() + (DAY / 2) * MINUTE_MS;
    await pool.query(
      `INSERT INTO silences (id, organization_id, created_by, starts_at, until, learn)
        VALUES ($1, $2, $3, $4, $5, false)`,
      [
        randomUUID(),
        toUuid('org', organizationId),
        randomUUID(),
        new Date(startMs),
        new Date(startMs + 3 * HOUR * MINUTE_MS),
      ],
    );
    await run(DAY / 2);
    await run(3 * HOUR, [{ ...ORDERS, rate: 300 }, ...USUAL.slice(1)]);
    await run(DAY / 2);
    const told = await detection.incidents();
    await update();
    await rebuild();
    await run(40);
    const [rebuilt, uninterrupted] = await detection.detectors();
    expectSameThresholds(rebuilt, uninterrupted);
    expect(await detection.incidents()).toEqual(told);
  });

  it('begins again after a crash, and lets a new detector go on if the counts cannot be replayed', async () => {
    const { detection, run, update, rebuild, countQueued } = await start(1);
    const [works, attempts] = [detection.rebuild, [] as number[]];
    await run(LEARNED);
    await run(5, burst);
    const [opened] = await detection.incidents();
    await update();
    let begun = 0;
    detection.rebuild = async (_task, signal) =>
      new Promise((_, reject) => {
        begun++;
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    await run(2);
    await waitFor('a rebuild to have begun', async () => begun === 1);
    // A stop in order costs no attempt, a crash does.
    await detection.watch.resign(0);
    await detection.replaceLeader();
    await run(2);
    await waitFor('it to have begun again', async () => begun === 2);
    expect(await countQueued()).toBe(1);

    detection.rebuild = async (_task, _signal, maxRunMs) => {
      attempts.push(maxRunMs);
      throw new Error('too much');
    };
    await detection.replaceLeader();
    await rebuild();
    expect(attempts).toHaveLength(2);
    expect(attempts.every((maxRunMs) => maxRunMs < 10_000)).toBe(true);
    detection.rebuild = works;
    await run(HOUR);
    expect(await detection.incidents()).toEqual([{ ...opened, status: 'resolved' }]);
    expect(attempts).toHaveLength(2);
    await run(5, burst);
    expect(await detection.incidents()).toMatchObject([{ number: 1 }, { number: 2, status: 'open' }]);
  });

  it('rebuilds more projects than wait for the end of a step, though a step ends meanwhile', async () => {
    const { detection, run, rebuild, countQueued, queueAll, hold } = await start(10);
    await run(1);
    await queueAll();
    const release = hold();
    await run(1);
    await run(1);
    release();
    await detection.rebuilder.start();
    // As after each round of the minute.
    await detection.rebuilder.start();
    await rebuild();
    expect(await countQueued()).toBe(0);
  });

  it('gives up a project whose counts are not read in time, and rebuilds the next one', async () => {
    const { detection, pool, run, rebuild, queueAll } = await start(2);
    const begun: number[] = [];
    const works = detection.rebuild;
    await run(10);
    await queueAll();
    detection.rebuild = async (task, signal, maxRunMs) => {
      begun.push(maxRunMs);
      if (begun.length <= 3) await pool.query(`DO $$ BEGIN RAISE SQLSTATE '57014'; END $$`);
      return works(task, signal, maxRunMs);
    };
    await rebuild();
    expect(begun).toHaveLength(4);
    expect(begun[3]).toBe(begun[0]);
  });

  it('fails no more than three rounds for a detector that cannot take over', async () => {
    const { detection, pool, run, queueAll, countQueued } = await start(1);
    await run(10);
    await queueAll();
    await pool.query(
      `CREATE FUNCTION refuse_state() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NOT EXISTS (SELECT FROM risk_rebuilds WHERE project_id = NEW.project_id) THEN
            RAISE SQLSTATE '57014';
          END IF;
          RETURN NEW;
        END $$;
      CREATE TRIGGER refuse_state BEFORE INSERT ON risk_state FOR EACH ROW EXECUTE FUNCTION refuse_state()`,
    );
    let failed = 0;
    for (let minute = 0; minute < 10 && (await countQueued()) !== 0; minute++) {
      await run(1).catch(() => failed++);
      await detection.rebuilder.start();
    }
    await pool.query('DROP TRIGGER refuse_state ON risk_state');
    expect(await countQueued()).toBe(0);
    expect(failed).toBe(3);
    await run(2);
  });

  it('begins the window of a rule about a share of a field again, without the replayed events', async () => {
    const { detection, pool, run, update, rebuild } = await start(1);
    const id = detection.projects[0] ?? '';
    const field: FieldCondition = { path: ['status'], operator: 'equals', value: 'failed' };
    const rule = { name: 'Orders fail', type: 'order', severity: null, source: null, field };
    const rules = [{ ...rule, percent: 50, events: 20, minutes: DAY }];
    expect((await detection.user.api.put(`/projects/${id}/risk`, { rules })).status).toBe(200);
    await run(2 * HOUR);
    await update();
    await rebuild();
    const atMs = detection.clock.now();
    const failed = { ...ORDERS, count: 500, fields: { [fieldKey(field)]: 500 } };
    const delta = { projectId: toUuid('proj', id), ...failed, bucketMs: atMs, lastMs: atMs };
    await insertInboxRow(pool, [delta]);
    await detection.pass(1);
    const titles = (await detection.incidents()).map(({ title }) => title);
    expect(titles).toContain('Orders fail');
  });

  it('rebuilds a detector in a thread of its own', async () => {
    const { detection, run, update, rebuild } = await start(1);
    detection.rebuild = runRebuild;
    await run(2 * HOUR);
    await update();
    await rebuild();
    const [detector] = await detection.detectors();
    expect(detector?.describeSeries().map(({ perMinute }) => perMinute > 0)).toContain(true);
    expect(detector?.settings).toMatchObject({ budget: 1 });
  });
});
