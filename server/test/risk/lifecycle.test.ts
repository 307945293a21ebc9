import { describe, expect, it } from 'vitest';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { waitFor } from '../support/wait.ts';
import { decisionsOf, incidentsCounting, incidentsOf, sendEvents } from './support.ts';

describe('a risk incident', async () => {
  const service = await startTestService();
  const user = await service.signUp();

  it('opens an incident at once for one critical event', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 1, { severity: 'CRITICAL', source: null });
    const [incident] = await incidentsCounting(user, id, [1]);
    expect(incident).toMatchObject({
      title: 'It failed',
      severity: 'critical',
      status: 'open',
      evidence: {
        rule: 'at_least',
        series: { kind: 'rule', severity: 'critical' },
        sentence: 'Critical event: `checkout`. Matched your rule “any critical event”.',
        falseAlarmsPerWeek: null,
      },
    });
    const { body } = await user.api.get(`/incidents/${incident.id}/events`);
    expect(body).toMatchObject([{ severity: 'critical' }]);
  });

  it('counts each event of an incident once, whatever joins', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 3, { severity: 'CRITICAL' });
    await incidentsCounting(user, id, [3]);
    await sendEvents(ingest, 30, { severity: 'CRITICAL' });
    await incidentsCounting(user, id, [33]);
    await sendEvents(ingest, 10, { severity: 'CRITICAL' });
    await incidentsCounting(user, id, [43]);
  });

  it('opens incidents by the project’s present rules, and not by removed ones', async () => {
    const { id, ingest } = await user.createProject();
    const rule = { type: 'order', severity: 'info', source: null, events: 3, minutes: 5 };
    expect((await user.api.put(`/projects/${id}/risk`, { rules: [rule] })).status).toBe(200);
    await sendEvents(ingest, 1, { severity: 'CRITICAL' });
    await sendEvents(ingest, 2, { type: 'order', severity: 'INFO' });
    await service.settled();
    expect(await incidentsOf(user, id)).toEqual([]);
    await sendEvents(ingest, 1, { type: 'order', severity: 'INFO', source: 'web' });
    const [incident] = await incidentsCounting(user, id, [3]);
    expect(incident).toMatchObject({
      title: 'At least 3 in 5 min: order from web',
      severity: 'info',
      evidence: { observed: 3, expected: 3, windowSeconds: 300 },
    });
  });

  it('updates the headline to a clearly worse series that joins, and keeps a row of the former one', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 20, { source: null });
    const [opened] = await incidentsCounting(user, id, [20]);
    await sendEvents(ingest, 160, { type: 'payment', source: 'payments' });
    const told = await waitFor('the incident to be told by the payments', async () => {
      const [incident] = await incidentsOf(user, id);
      return incident.evidence.series.type === 'payment' && incident;
    });
    expect(told).toMatchObject({
      id: opened.id,
      severity: 'error',
      title: 'It failed in payments',
      evidence: {
        sentence: expect.stringMatching(
          /^`payment` errors in `payments` are up since \d\d:\d\d UTC: 160 in 1 min, normally close to zero/,
        ),
        series: { kind: 'events', type: 'payment', severity: 'error', source: 'payments' },
        alsoSeries: expect.arrayContaining([
          expect.objectContaining({
            ...opened.evidence.series,
            rule: 'rise',
            alarmSeverity: 'error',
            observed: 20,
            peak: 20,
          }),
        ]),
      },
    });
    const { body } = await user.api.get(`/incidents/${opened.id}`);
    expect(body.timeline.at(-1)).toMatchObject({
      by: null,
      note: 'Now about `payment` errors in `payments`: 160 in 1 min, normally close to zero; 160 events instead of 20.',
    });
    // Joined series add no events, and neither does the former headline.
    expect(told.eventCount).toBe(160);
    const { body: behind } = await user.api.get(`/incidents/${opened.id}/events?limit=200`);
    expect(behind).toHaveLength(160);
  });

  it('records each joined series once in the timeline, with its numbers', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 200);
    await incidentsCounting(user, id, [200]);
    await sendEvents(ingest, 20, { type: 'mail', source: 'post' });
    const incident = await waitFor('the other series to have joined', async () => {
      const [first] = await incidentsOf(user, id);
      return first.evidence.alsoSeries.some(({ type }: { type: string }) => type === 'mail') && first;
    });
    expect(incident.eventCount).toBe(200);
    expect(incident.evidence.series).toMatchObject({ type: 'checkout' });
    expect(incident.evidence.alsoSeries).toContainEqual(
      expect.objectContaining({
        kind: 'events',
        type: 'mail',
        severity: 'error',
        source: 'post',
        fingerprint: null,
        rule: 'rise',
        alarmSeverity: 'error',
        observed: 20,
        peak: 20,
        windowSeconds: 60,
      }),
    );
    await sendEvents(ingest, 20, { type: 'mail', source: 'post' });
    await sendEvents(ingest, 5);
    await incidentsCounting(user, id, [205]);
    const { body } = await user.api.get(`/incidents/${incident.id}`);
    const notes = body.timeline.map(({ note }: { note: string }) => note);
    expect(notes.filter((note: string) => note.includes(' too: '))).toEqual([
      '`mail` errors in `post` too: 20 in 1 min, normally close to zero.',
    ]);
  });

  it('escalates an incident for a critical event, with an entry in its timeline and one frame', async () => {
    const { id, ingest } = await user.createProject();
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    await sendEvents(ingest, 20);
    const [opened] = await incidentsCounting(user, id, [20]);
    await user.api.patch(`/incidents/${opened.id}`, { status: 'investigating' });
    await sendEvents(ingest, 2, { severity: 'CRITICAL' });
    // The rule counts its own events.
    const [escalated] = await incidentsCounting(user, id, [2]);
    expect(escalated).toMatchObject({ id: opened.id, severity: 'critical', status: 'investigating' });
    expect(escalated.evidence).toMatchObject({ series: { kind: 'rule' }, escalation: null });
    expect(escalated.evidence.alsoSeries).toContainEqual(expect.objectContaining(opened.evidence.series));
    const { body } = await user.api.get(`/incidents/${opened.id}`);
    expect(
      body.timeline.map(({ by, from, to }: Record<string, unknown>) => ({ by, from, to })),
    ).toMatchObject([
      { by: null, from: null },
      { by: { id: user.id }, from: { status: 'open' }, to: { status: 'investigating' } },
      {
        by: null,
        from: { severity: 'error' },
        to: { severity: 'critical' },
      },
    ]);
    const frames = (await live.received(3)).filter(({ data }) => data.id === opened.id);
    expect(frames.map(({ event, data }) => [event, data.status, data.severity])).toEqual([
      ['incident_created', 'open', 'error'],
      ['incident_updated', 'investigating', 'error'],
      ['incident_updated', 'investigating', 'critical'],
    ]);

    // A further one does not change the severity.
    await sendEvents(ingest, 1, { severity: 'CRITICAL' });
    await incidentsCounting(user, id, [3]);
    expect((await user.api.get(`/incidents/${opened.id}`)).body.timeline).toHaveLength(3);
  });

  it('reports in timeline and live message that something else has begun if another source is worse', async () => {
    const { id, ingest } = await user.createProject();
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    const rule = { type: 'order', severity: 'info', source: 'web', events: 3, minutes: 5 };
    expect((await user.api.put(`/projects/${id}/risk`, { rules: [rule] })).status).toBe(200);
    await sendEvents(ingest, 3, { type: 'order', severity: 'INFO', source: 'web' });
    const [opened] = await incidentsCounting(user, id, [3]);
    await sendEvents(ingest, 30, { type: 'mail', source: 'post' });
    const worse = await waitFor('the other source', async () => {
      const [incident] = await incidentsOf(user, id);
      return incident.severity === 'error' && incident;
    });
    const sentence =
      'Something else has begun: `mail` errors in `post`: 30 in 1 min, normally close to zero.';
    expect(worse).toMatchObject({
      id: opened.id,
      title: 'It failed in post',
      evidence: { escalation: { sentence, severity: 'error' } },
    });
    const { body } = await user.api.get(`/incidents/${opened.id}`);
    expect(body.timeline).toMatchObject([
      { from: null },
      {
        by: null,
        to: { title: worse.title, severity: 'error' },
        note: expect.stringMatching(
          /^Something else has begun\.\nNow about `mail` errors in `post`: 30 in 1 min, .*; 30 events instead of 3\.\n/,
        ),
      },
    ]);
    const [, frame] = (await live.received(2)).filter(({ data }) => data.id === opened.id);
    expect(frame).toMatchObject({
      event: 'incident_updated',
      data: { title: worse.title, evidence: { escalation: { sentence } } },
    });
  });

  it('opens a follow-up incident that names its predecessor right after that was resolved', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 30);
    const [first] = await incidentsCounting(user, id, [30]);
    expect((await user.api.patch(`/incidents/${first.id}`, { status: 'resolved' })).status).toBe(200);
    await sendEvents(ingest, 30);
    const [second, resolved] = await incidentsCounting(user, id, [30, 30]);
    expect(second).toMatchObject({ status: 'open', previousIncidentId: first.id });
    expect(resolved).toMatchObject({ id: first.id, status: 'resolved' });
    expect(second.evidence.observed).toBe(30);
    await sendEvents(ingest, 5);
    await incidentsCounting(user, id, [35, 30]);
  });

  it('opens no follow-up incident for the few errors after an incident was resolved', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 30);
    const [first] = await incidentsCounting(user, id, [30]);
    await user.api.patch(`/incidents/${first.id}`, { status: 'resolved' });
    await sendEvents(ingest, 5);
    await service.settled();
    expect(await incidentsOf(user, id)).toMatchObject([{ id: first.id, eventCount: 30, status: 'resolved' }]);
  });

  it('opens one incident for one cause, and names all affected series', async () => {
    const { id, ingest } = await user.createProject();
    const sources = ['a', 'b', 'c'];
    await ingest.post(
      '/ingest/bulk',
      sources.flatMap((source) =>
        Array.from({ length: 20 }, () => ({ type: 'checkout', severity: 'ERROR', message: 'm', source })),
      ),
    );
    const [incident] = await incidentsCounting(user, id, [60]);
    expect(incident).toMatchObject({ evidence: { series: { kind: 'errors' } } });
    const also = incident.evidence.alsoSeries.map(({ source }: { source: string }) => source);
    expect(also.toSorted()).toEqual(sources);
  });

  it('records every decision', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 30);
    const [incident] = await incidentsCounting(user, id, [30]);
    const decisions = await decisionsOf(user, id);
    expect(decisions.map(({ outcome }: { outcome: string }) => outcome).toSorted()).toEqual([
      'joined',
      'opened',
    ]);
    for (const decision of decisions)
      expect(decision).toMatchObject({ incidentId: incident.id, observed: 30, windowSeconds: 60 });
  });

  it('hides an incident from other organizations, in the list and live', async () => {
    const stranger = await service.signUp();
    const live = await openSocket(service.managementUrl, { cookie: stranger.api.cookie });
    const { id, ingest } = await user.createProject();
    const theirs = await stranger.createProject();
    await sendEvents(ingest, 20);
    const [incident] = await incidentsCounting(user, id, [20]);
    expect(await incidentsOf(stranger, id)).toEqual([]);
    expect((await stranger.api.get(`/incidents/${incident.id}`)).status).toBe(404);
    expect((await stranger.api.get(`/incidents/${incident.id}/events`)).status).toBe(404);
    // A later frame of their own shows that no earlier frame is missing.
    await sendEvents(theirs.ingest, 20);
    const [frame] = await live.received(1);
    expect(frame?.data.projectId).toBe(theirs.id);
  });

  it('opens no incident for a project that is deleted meanwhile', async () => {
    const { id, ingest } = await user.createProject();
    const { pool } = service.database;
    const blocker = await beginHeldTransaction(pool);
    // The risk loop waits for the stream; meanwhile the events are stored and the project is deleted.
    await blocker.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.frames})`);
    await sendEvents(ingest, 20);
    const other = await user.createProject();
    expect((await user.api.delete(`/projects/${id}`)).status).toBe(204);
    await blocker.query('COMMIT');
    blocker.release();
    await sendEvents(other.ingest, 20);
    await incidentsCounting(user, other.id, [20]);
    await service.settled();
    const { rows } = await pool.query('SELECT FROM incidents WHERE project_id = $1', [toUuid('proj', id)]);
    expect(rows).toEqual([]);
    expect(await incidentsOf(user, id)).toEqual([]);
  });
});
