import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/client.ts';
import { StillClock, TestClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import {
  decisionsOf,
  evaluatedUntil,
  incidentsCounting,
  incidentsOf,
  passTime,
  QUICK_PACE,
  queueEmptied,
  sendEvents,
} from './support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LATE_MS = 5 * MINUTE_MS;

interface SentEvents {
  count: number;
  source?: string;
  severity?: string;
  type?: string;
}

/** Sends events with one common time of capture. */
async function sendCaptured(
  ingest: ApiClient,
  capturedMs: number,
  { count, ...event }: SentEvents,
): Promise<void> {
  const capturedAt = new Date(capturedMs).toISOString();
  const events = Array.from({ length: count }, () => ({
    type: 'checkout',
    severity: 'ERROR',
    source: 'archive',
    message: 'It failed',
    ...event,
    capturedAt,
  }));
  const answer = await ingest.post('/ingest/bulk', events);
  if (answer.status !== 202) throw new Error(`It was answered ${answer.status}.`);
}

describe('an import of what happened before', { timeout: scaled(120_000) }, async () => {
  const clock = new TestClock();
  const service = await startTestService({ clock });
  const user = await service.signUp();

  it('opens no incident for an import of old events, charts it, and reports its source, number and range', async () => {
    const { id, ingest } = await user.createProject();
    const burstMs = Math.floor((clock.now() - 30 * HOUR_MS) / HOUR_MS) * HOUR_MS;
    for (let minute = 0; minute < 10; minute++)
      await sendCaptured(ingest, burstMs + (minute + 1) * MINUTE_MS, { count: 500 });
    await sendCaptured(ingest, burstMs + MINUTE_MS, { count: 5, severity: 'CRITICAL', type: 'disk' });
    await service.settled();
    await passTime(service, clock, 3 * MINUTE_MS);
    await evaluatedUntil(service, clock.now() - 5_000);
    expect(await incidentsOf(user, id)).toEqual([]);

    const from = new Date(burstMs).toISOString();
    const chart = (await user.api.get(`/events/histogram?project_id=${id}&from=${from}&interval=3600`)).body;
    expect(chart[0]).toMatchObject({ start: from, error: 5_000, critical: 5 });

    const [decision, ...others] = await waitFor('the report', async () => {
      const decisions = await decisionsOf(user, id, 'suppressed');
      return decisions.length > 0 && decisions;
    });
    expect(others).toEqual([]);
    const [first, last] = [burstMs + MINUTE_MS, burstMs + 10 * MINUTE_MS].map((ms) =>
      new Date(ms).toISOString().slice(0, 16).replace('T', ' '),
    );
    expect(decision).toMatchObject({
      reason: 'late',
      observed: 5_005,
      series: { kind: 'events', type: null, source: 'archive' },
      sentence: `5,005 events from \`archive\` were captured from ${first} to ${last} UTC, more than 5 minutes before they arrived. Stored and charted, but not used for detection.`,
    });
  });

  it('opens an incident for a burst of the same source during an import', async () => {
    const { id, ingest } = await user.createProject();
    await sendCaptured(ingest, clock.now() - 30 * HOUR_MS, { count: 5_000 });
    await sendEvents(ingest, 40, { source: 'archive' });
    await incidentsCounting(user, id, [40]);
  });
});

describe('the lateness from which events are not evaluated', async () => {
  const clock = new StillClock();
  const service = await startTestService({ clock });
  const user = await service.signUp();

  it('treats events as late from more than five minutes on, to the millisecond', async () => {
    const [onTime, late] = [await user.createProject(), await user.createProject()];
    await sendCaptured(late.ingest, clock.now() - LATE_MS - 1, { count: 300 });
    await sendCaptured(onTime.ingest, clock.now() - LATE_MS, { count: 300 });
    await incidentsCounting(user, onTime.id, [300]);
    await service.settled();
    expect(await incidentsOf(user, late.id)).toEqual([]);
  });
});

describe('a source whose clock is 7 minutes behind', { timeout: scaled(300_000) }, async () => {
  // How far behind it is does not depend on how long a request takes.
  const clock = new StillClock();
  const service = await startTestService({ clock, riskPace: QUICK_PACE });
  const user = await service.signUp();
  const { id, ingest } = await user.createProject();
  const shipped = { source: 'shipper', severity: 'INFO', type: 'order' };

  /** Sends a number of events in each minute, 20 seconds into it. */
  const run = async (minutes: number, count: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await sendCaptured(ingest, clock.now() - 7 * MINUTE_MS, { count, ...shipped });
      await queueEmptied(service);
      await passTime(service, clock, MINUTE_MS - ((clock.now() - 20_000) % MINUTE_MS));
      await evaluatedUntil(service, clock.now() - MINUTE_MS);
    }
  };
  const lateSourcesOf = async () => (await user.api.get(`/projects/${id}/risk/state`)).body.lateSources;

  it('evaluates a source whose clock is 7 minutes behind by receipt after half an hour, names it, and alarms on its burst', async () => {
    await run(20, 6);
    expect(await lateSourcesOf()).toEqual([]);
    await run(15, 6);
    expect(await lateSourcesOf()).toEqual([
      { source: 'shipper', behindSeconds: 420, since: expect.any(String) },
    ]);
    await run(30, 6);
    expect(await incidentsOf(user, id)).toEqual([]);
    await sendCaptured(ingest, clock.now() - 7 * MINUTE_MS, { count: 400, ...shipped });
    const incident = await user.firstIncident(id);
    expect(incident.evidence).toMatchObject({ rule: 'rise', series: { source: 'shipper' } });
  });
});
