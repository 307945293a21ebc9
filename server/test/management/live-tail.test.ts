import { describe, expect, it } from 'vitest';
import { startTestService, type TestUser } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { waitFor } from '../support/wait.ts';

const EVENT = { type: 'checkout', severity: 'INFO', message: 'Hello' };

describe('the live tail of events', async () => {
  const service = await startTestService();
  /** Opens a subscribed socket; resolves once the worker serves it, which a first event shows. */
  const subscribe = async (
    user: TestUser,
    ingest: { post: (path: string, body: unknown) => Promise<unknown> },
  ) => {
    const tail = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    tail.socket.send('{"subscribe":"events"}');
    await waitFor('the first event of the tail', async () => {
      await ingest.post('/ingest/events', { ...EVENT, type: 'warm-up' });
      return tail.frames.length > 0;
    });
    return tail;
  };

  it('sends subscribers each event of their organization in the form of the list', async () => {
    const [user, stranger] = [await service.signUp(), await service.signUp()];
    const [mine, theirs] = [await user.createProject(), await stranger.createProject()];
    const silent = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    const tail = await subscribe(user, mine.ingest);
    await subscribe(stranger, theirs.ingest);

    await theirs.ingest.post('/ingest/events', { ...EVENT, message: 'Not for you' });
    const payload = { a: [1], amount: 4_210, currency: 'eur' };
    const correlation = { order_id: 'ord_1' };
    const body = { ...EVENT, type: 'payment', severity: 'ERROR', payload, correlation };
    const { jobId } = (await mine.ingest.post('/ingest/events', body)).body;
    const frame = await waitFor('the event in the tail', () =>
      tail.frames.find(({ data }) => data.correlationId === 'ord_1'),
    );
    const eventId = jobId.replace('job_', 'evt_');
    const { frames, causes, ...data } = (await user.api.get(`/events/${eventId}`)).body;
    expect([frames, causes]).toEqual([[], []]);
    expect(data.amount).toEqual({ value: '42.10', currency: 'EUR', text: '€42.10' });
    expect(frame).toEqual({ event: 'event_captured', data, omitted: 0 });
    expect(tail.frames.filter(({ data }) => data.id === eventId)).toHaveLength(1);
    expect(tail.frames.some(({ data }) => data.message === 'Not for you')).toBe(false);
    expect(silent.frames).toEqual([]);
  });

  it('sends 50 events of a flood, and the number of omitted ones', async () => {
    const user = await service.signUp();
    const { ingest } = await user.createProject();
    const { frames } = await subscribe(user, ingest);
    // Events before the marker are in its poll or an earlier one: the flood then has its own poll.
    await ingest.post('/ingest/events', { ...EVENT, type: 'marker' });
    await waitFor('the marker', () => frames.some(({ data }) => data.type === 'marker'));
    const total = 400;
    const flood = Array.from({ length: total }, (_, index) => ({
      ...EVENT,
      type: 'flood',
      message: `${index}`,
    }));
    await ingest.post('/ingest/bulk', flood);
    const shown = () => frames.filter(({ data }) => data.type === 'flood');
    const omitted = () => shown().reduce((sum, frame) => sum + (frame.omitted ?? 0), 0);
    await waitFor('the whole flood to be shown or counted', () => shown().length + omitted() >= total);
    expect(shown().length).toBeLessThanOrEqual(50);
    expect(shown().at(-1)?.data.message).toBe(`${total - 1}`);
    expect(shown().length + omitted()).toBe(total);
  });

  it('ends the live tail with {"unsubscribe":"events"}, and continues to send incidents', async () => {
    const user = await service.signUp();
    const { id: projectId, ingest } = await user.createProject();
    const { socket, frames } = await subscribe(user, ingest);
    const witness = await subscribe(user, ingest);
    socket.send('{"unsubscribe":"events"}');
    const created = async (title: string) => {
      await user.api.post('/incidents', { title, severity: 'error', projectId });
      await waitFor(title, () => frames.some(({ data }) => data.title === title));
    };
    await created('Before');
    const marker = { ...EVENT, type: 'marker' };
    await ingest.post('/ingest/events', marker);
    await waitFor('the witness', () => witness.frames.some(({ data }) => data.type === 'marker'));
    await created('After');
    expect(frames.some(({ data }) => data.type === 'marker')).toBe(false);
  });
});
