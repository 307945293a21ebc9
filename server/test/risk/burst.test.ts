import { describe, expect, it } from 'vitest';
import { RISK_PACE } from '../../src/risk/risk-loop.ts';
import { startTestService } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';
import { incidentsCounting, incidentsOf, sendEvents } from './support.ts';

describe('a burst of errors', async () => {
  const service = await startTestService();
  const user = await service.signUp();

  it('opens one incident with evidence, also live, for 300 errors at once in a new project', async () => {
    const { id, ingest } = await user.createProject();
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    const event = { type: 'checkout', severity: 'ERROR', message: 'It failed', source: 'shop' };
    const burst = Array.from({ length: 300 }, (_, index) => ({
      ...event,
      correlation: { order_id: `order-${index % 3}` },
    }));
    expect((await ingest.post('/ingest/bulk', burst)).status).toBe(202);
    await service.settled();

    const [incident, ...others] = await incidentsCounting(user, id, [300]);
    expect(others).toEqual([]);
    const series = { kind: 'events', type: 'checkout', severity: 'error', source: 'shop', fingerprint: null };
    expect(incident).toEqual({
      id: expect.stringMatching(/^inc_[0-9a-z]{26}$/),
      title: 'It failed in shop',
      titleOrigin: 'generated',
      severity: 'error',
      status: 'open',
      projectId: id,
      organizationId: user.organizationId,
      origin: 'risk',
      scheduleId: null,
      links: [],
      lead: { kind: 'series', series },
      since: expect.stringMatching(/:00\.000Z$/),
      until: null,
      eventCount: 300,
      mainGroup: {
        groupId: expect.stringMatching(/^grp_/),
        key: expect.any(String),
        title: 'It failed',
        share: 1,
      },
      rate: { observed: expect.any(Number), usual: expect.any(Number), unit: 'per_minute' },
      release: null,
      eventsQuery: { says: 'counted', params: { incident_id: incident.id } },
      evidence: {
        sentence: expect.stringMatching(
          /^`checkout` errors in `shop` are up since \d\d:\d\d UTC: \d+ in 1 min, normally close to zero\.$/,
        ),
        rule: 'rise',
        series,
        observed: expect.any(Number),
        expected: expect.any(Number),
        windowSeconds: 60,
        from: expect.stringMatching(/Z$/),
        to: expect.stringMatching(/Z$/),
        exposure: null,
        falseAlarmsPerWeek: null,
        alsoSeries: [expect.objectContaining({ kind: 'errors', observed: expect.any(Number) })],
        escalation: null,
        group: null,
        release: null,
        sampleEventIds: expect.any(Array),
        correlationIds: expect.any(Array),
      },
      current: null,
      previousIncidentId: null,
      investigatorId: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      resolvedAt: null,
    });
    expect(incident.evidence.sampleEventIds).toHaveLength(10);
    for (const eventId of incident.evidence.sampleEventIds) {
      const { body } = await user.api.get(`/events/${eventId}`);
      expect(body).toMatchObject({ type: 'checkout', source: 'shop' });
    }
    const affected = incident.evidence.correlationIds.map(
      ({ correlationId }: { correlationId: string }) => correlationId,
    );
    expect(affected.toSorted()).toEqual(['order-0', 'order-1', 'order-2']);
    const [created] = await live.received(1);
    expect(created).toMatchObject({ event: 'incident_created', data: { id: incident.id, status: 'open' } });
    expect(live.frames.filter(({ event: name }) => name === 'incident_created')).toHaveLength(1);
  });

  it('begins the timeline with the opening, and lists the events behind the incident', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 30);
    await sendEvents(ingest, 3, { source: 'elsewhere', severity: 'INFO' });
    await sendEvents(ingest, 3, { severity: 'WARN' });
    const [{ id: incidentId, evidence }] = await incidentsCounting(user, id, [30]);
    const { body } = await user.api.get(`/incidents/${incidentId}`);
    expect(body.timeline).toMatchObject([
      { by: null, from: null, to: { status: 'open', severity: 'error' }, note: evidence.sentence },
    ]);
    const { body: events } = await user.api.get(`/incidents/${incidentId}/events`);
    expect(events).toHaveLength(30);
    for (const event of events)
      expect(event).toMatchObject({ type: 'checkout', source: 'shop', severity: 'error' });
    const page = await user.api.get(`/incidents/${incidentId}/events?limit=5`);
    expect(page.body).toEqual(events.slice(0, 5));
    expect(page.headers.get('link')).toMatch(/rel="next"/);
  });

  it('adds later errors to the open incident, with at most one frame a second', async () => {
    const service = await startTestService({ riskPace: RISK_PACE });
    const user = await service.signUp();
    const { id, ingest } = await user.createProject();
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    await sendEvents(ingest, 20);
    const [opened] = await incidentsCounting(user, id, [20]);
    for (let round = 0; round < 40; round++) await sendEvents(ingest, 5);
    const [grown] = await incidentsCounting(user, id, [220]);
    expect(grown).toEqual({ ...opened, eventCount: 220, updatedAt: expect.any(String) });
    expect(grown.updatedAt > opened.updatedAt).toBe(true);

    await live.received(2);
    const frames = live.frames.filter(({ data }) => data.id === opened.id);
    expect(new Set(frames.slice(1).map(({ event }) => event))).toEqual(new Set(['incident_updated']));
    const times = frames.map(({ data }) => Date.parse(data.updatedAt));
    const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
    expect(frames.length).toBeLessThanOrEqual(seconds + 2);
    const { body } = await user.api.get(`/incidents/${opened.id}`);
    expect(body.timeline).toHaveLength(1);
  });

  it('does not open an incident for a burst of a few errors', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 4);
    await sendEvents(ingest, 50, { severity: 'WARN' });
    await sendEvents(ingest, 50, { severity: 'INFO' });
    await service.settled();
    expect(await incidentsOf(user, id)).toEqual([]);
    // Only a larger number of them was missing.
    await sendEvents(ingest, 16);
    await incidentsCounting(user, id, [20]);
  });

  it('opens one incident for a burst that is spread over several sources', async () => {
    const { id, ingest } = await user.createProject();
    const errors = Array.from({ length: 20 }, (_, index) => ({
      type: 'checkout',
      severity: 'ERROR',
      message: 'm',
      source: `source ${index % 10}`,
    }));
    await ingest.post('/ingest/bulk', errors);
    const [incident] = await incidentsCounting(user, id, [20]);
    expect(incident).toMatchObject({
      title: 'Errors up in this project',
      evidence: {
        rule: 'rise',
        series: { kind: 'errors' },
        sentence: expect.stringMatching(
          /^10 sources at once, worst `source \d`\. Errors in this project are /,
        ),
      },
    });
    await ingest.post('/ingest/bulk', errors);
    await incidentsCounting(user, id, [40]);
    const { body: events } = await user.api.get(`/incidents/${incident.id}/events`);
    expect(events).toHaveLength(40);
  });

  it('opens one incident for thousands of distinct messages', {
    timeout: scaled(60_000),
  }, async () => {
    const { id, ingest } = await user.createProject();
    // More than the series of a project and the new groups of a day.
    const [parts, length] = [rounds(1, 10), rounds(3_000, 10_000)];
    for (let part = 0; part < parts; part++) {
      const errors = Array.from({ length }, (_, index) => ({
        type: `type ${index % 700}`,
        severity: 'ERROR',
        message: `${String.fromCodePoint(0x4e00 + part)}${String.fromCodePoint(0x4e00 + index)} failed`,
      }));
      expect((await ingest.post('/ingest/bulk', errors)).status).toBe(202);
      await service.settled();
    }
    const [incident, ...others] = await incidentsCounting(user, id, [length * parts]);
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ status: 'open', evidence: { series: { kind: 'errors' } } });
    expect(incident.evidence.alsoSeries.length).toBeLessThanOrEqual(20);
  });

  it('opens an incident for failed payments of every type that ends in payment_failed', async () => {
    const { id, ingest } = await user.createProject();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ingest.post('/ingest/payments', {
          type: index % 2 ? 'invoice.payment_failed' : 'payment_failed',
          data: {},
        }),
      ),
    );
    const [incident] = await incidentsCounting(user, id, [20]);
    expect(incident).toMatchObject({ evidence: { series: { type: 'payment', source: 'payments' } } });
    const { body } = await user.api.get(`/events?project_id=${id}&severity=info`);
    expect(body).toHaveLength(10);
    const { body: behind } = await user.api.get(`/incidents/${incident.id}/events`);
    expect(behind).toHaveLength(20);
  });
});
