import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';
import { Detection, type SentEvents, UNBOUNDED } from './detection.ts';

/** A third of the time, without the downtimes between: whole batches of 45 minutes and of 5 hours. */
const THIRD_MINUTES = rounds(2_700, 9_900);
/** Positions in a third at which a burst of errors, a silence and a rise begin. */
const [BURST, SILENCE, RISE] = [0.25, 0.4, 0.7].map((share) => Math.floor(share * THIRD_MINUTES)) as [
  number,
  number,
  number,
];
/** Minutes without any process, after each third. */
const ABSENCES = [400, 100, 0];
const HOUR = 60;
const HOURS = (THIRD_MINUTES * ABSENCES.length) / HOUR;

/** Returns the events of each minute: a burst of errors, a silence of two hours, and a rise in each third. */
function history(): SentEvents[][] {
  const random = new Random(21);
  return Array.from({ length: THIRD_MINUTES * ABSENCES.length }, (_, minute) => {
    const within = minute % THIRD_MINUTES;
    const isSilent = within >= SILENCE && within < SILENCE + 120;
    const isHigh = within >= RISE && within < RISE + 30;
    const sent: SentEvents[] = [
      { project: 0, events: isSilent ? 0 : random.poisson(isHigh ? 100 : 20) },
      { project: 0, events: random.poisson(1), type: 'refund' },
      {
        project: 0,
        events: within >= BURST && within < BURST + 3 ? 60 : 0,
        type: 'checkout',
        severity: 'error',
      },
    ];
    return sent.filter(({ events }) => events > 0);
  });
}

/** Sends the minutes in batches of a given size. */
async function goThrough(
  detection: Detection,
  minutes: SentEvents[][],
  rowMinutes: number,
  afterRow: () => Promise<void>,
): Promise<void> {
  for (const [third, absence] of ABSENCES.entries()) {
    for (let from = 0; from < THIRD_MINUTES; from += rowMinutes) {
      const start = third * THIRD_MINUTES + from;
      await detection.sendMinutes(minutes.slice(start, start + rowMinutes));
      await afterRow();
    }
    if (absence > 0) await detection.passWithoutIngestion(absence);
  }
}

describe('days without a worker', { timeout: scaled(240_000) }, async () => {
  const [live, late] = [await Detection.start(1, UNBOUNDED), await Detection.start(1, UNBOUNDED)];
  const minutes = history();

  it('reaches the incidents and the state of live rounds after a long time without a worker, under any leader', async () => {
    // Both begin with an event that is evaluated immediately.
    for (const detection of [live, late]) await detection.pass(0, [{ project: 0, events: 20 }]);
    await late.keepRounds();
    await goThrough(live, minutes, 45, () => live.runRounds());
    await live.runRounds();
    await goThrough(late, minutes, 5 * HOUR, async () => undefined);

    let looks = 0;
    while (await late.runOnce()) {
      looks++;
      // The leader dies between two rounds.
      if (looks % rounds(40, 150) === 0) await late.replaceLeader();
    }
    expect(looks).toBeGreaterThan(0.9 * HOURS);
    expect(await late.incidents()).toEqual(await live.incidents());
    expect((await late.incidents()).length).toBeGreaterThanOrEqual(9);
    expect(await late.decisions()).toEqual(await live.decisions());
    expect(await late.states()).toEqual(await live.states());
  });

  it('limits rounds after a long time without a worker to an hour, except over unknown minutes', async () => {
    const minutes = await late.keptRounds();
    expect(minutes.length).toBeGreaterThan(0.9 * HOURS);
    // The detectors skip most of a long downtime, so one round covers it.
    expect(minutes[0]).toBeLessThanOrEqual(HOUR + Math.max(...ABSENCES));
    for (const others of minutes.slice(1)) expect(others).toBeLessThanOrEqual(HOUR);
  });
});

describe('a worker without ingestion', { timeout: scaled(60_000) }, async () => {
  const detection = await Detection.start(1, UNBOUNDED);

  it('keeps late events in the stream if a worker starts hours later and before ingestion', async () => {
    const random = new Random(4);
    const day = () =>
      Array.from({ length: 24 * HOUR }, (): SentEvents[] => [{ project: 0, events: 1 + random.poisson(20) }]);
    await detection.sendMinutes(day());
    await detection.runRounds();
    await detection.sendMinutes(day());
    await detection.endLiveness();
    while (await detection.watch.runOnce());
    expect(await detection.waiting()).toBe(1);
    await detection.runRounds();
    expect(await detection.waiting()).toBe(0);
    expect(await detection.incidents()).toEqual([]);
  });
});
