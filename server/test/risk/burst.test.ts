import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { incidentsCounting, incidentsOf, sendEvents } from './support.ts';

describe('a burst of errors', async () => {
  const service = await startTestService();
  const user = await service.signUp();

  it('of 300 at once on a young project is one open incident with its evidence, seen live', async () => {
    const { id, ingest } = await user.createProject();
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    const event = { type: 'checkout', severity: 'ERROR', message: 'It failed', source: 'shop' };
    await Promise.all(Array.from({ length: 300 }, () => ingest.post('/ingest/events', event)));
    await service.settled();

    const incidents = await incidentsCounting(user, id, [300]);
    const [incident] = incidents;
    expect(incident).toEqual({
      id: expect.stringMatching(/^inc_[0-9a-z]{26}$/),
      title: 'Errors: checkout in shop',
      severity: 'error',
      status: 'open',
      projectId: id,
      organizationId: user.organizationId,
      origin: 'risk',
      eventCount: 300,
      evidence: {
        sentence: expect.stringMatching(/`checkout` from `shop`: \d+ errors in 60 s/),
        rule: 'burst',
        series: { type: 'checkout', source: 'shop' },
        observed: expect.any(Number),
        expected: 0,
        windowSeconds: 60,
        from: expect.stringMatching(/Z$/),
        to: expect.stringMatching(/Z$/),
      },
      previousIncidentId: null,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      resolvedAt: null,
    });
    expect(incident.evidence.observed).toBeGreaterThanOrEqual(10);
    const [created] = await live.received(1);
    expect(created).toMatchObject({ event: 'incident_created', data: { id: incident.id, status: 'open' } });
    const created300 = live.frames.filter(({ event: name }) => name === 'incident_created');
    expect(created300).toHaveLength(1);
  });

  it('has a timeline that begins with the opening, and the events behind it', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 12);
    await sendEvents(ingest, 3, { source: 'elsewhere' });
    await sendEvents(ingest, 3, { severity: 'WARN' });
    const [{ id: incidentId, evidence }] = await incidentsCounting(user, id, [12]);
    const { body } = await user.api.get(`/incidents/${incidentId}`);
    expect(body.timeline).toMatchObject([
      { by: null, from: null, to: { status: 'open', severity: 'error' }, note: evidence.sentence },
    ]);
    const { body: events } = await user.api.get(`/incidents/${incidentId}/events`);
    expect(events).toHaveLength(12);
    for (const event of events)
      expect(event).toMatchObject({ type: 'checkout', source: 'shop', severity: 'error' });
    const page = await user.api.get(`/incidents/${incidentId}/events?limit=5`);
    expect(page.body).toEqual(events.slice(0, 5));
    expect(page.headers.get('link')).toMatch(/rel="next"/);
  });

  it('only raises its incident with what comes later, told at most once a second', async () => {
    const { id, ingest } = await user.createProject();
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    await sendEvents(ingest, 20);
    const [opened] = await incidentsCounting(user, id, [20]);
    for (let round = 0; round < 40; round++) await sendEvents(ingest, 5);
    const [raised] = await incidentsCounting(user, id, [220]);
    expect(raised).toEqual({ ...opened, eventCount: 220, updatedAt: expect.any(String) });
    expect(raised.updatedAt > opened.updatedAt).toBe(true);

    await live.received(2);
    const frames = live.frames.filter(({ data }) => data.id === opened.id);
    expect(new Set(frames.slice(1).map(({ event }) => event))).toEqual(new Set(['incident_updated']));
    const times = frames.map(({ data }) => Date.parse(data.updatedAt));
    const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
    expect(frames.length).toBeLessThanOrEqual(seconds + 2);
    const { body } = await user.api.get(`/incidents/${opened.id}`);
    expect(body.timeline).toHaveLength(1);
  });

  it('of 9 is none', async () => {
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 9);
    await sendEvents(ingest, 50, { severity: 'WARN' });
    await sendEvents(ingest, 50, { severity: 'INFO' });
    await service.settled();
    expect(await incidentsOf(user, id)).toEqual([]);
    // The tenth is what was missing.
    await sendEvents(ingest, 1);
    await incidentsCounting(user, id, [10]);
  });

  it('that is spread over several sources is one incident', async () => {
    const { id, ingest } = await user.createProject();
    const sources = ['a', 'b', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const body = sources.map((source) => ({ type: 'checkout', severity: 'ERROR', message: 'm', source }));
    await ingest.post('/ingest/bulk', body);
    const [incident] = await incidentsCounting(user, id, [2]);
    expect(incident).toMatchObject({ evidence: { rule: 'spread', series: { source: 'b' } } });
    await ingest.post('/ingest/bulk', body);
    await incidentsCounting(user, id, [4]);
  });

  it('of failed payments counts the types of the processor that end in payment_failed', async () => {
    const { id, ingest } = await user.createProject();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        ingest.post('/ingest/payments', {
          type: index % 2 ? 'invoice.payment_failed' : 'payment_failed',
          data: {},
        }),
      ),
    );
    const [incident] = await incidentsCounting(user, id, [10]);
    expect(incident).toMatchObject({ evidence: { series: { type: 'payment', source: 'payments' } } });
    const { body } = await user.api.get(`/events?project_id=${id}&severity=info`);
    expect(body).toHaveLength(5);
  });
});
