import { describe, expect, it } from 'vitest';
import { startTestService } from './support/service.ts';

describe('the way of an event', async () => {
  const service = await startTestService();

  it('delivers an event from an application to the list of its organization', async () => {
    const user = await service.signUp();
    const { id, ingest } = await user.createProject();

    const accepted = await ingest.post('/ingest/events', {
      type: 'checkout',
      severity: 'ERROR',
      message: 'The basket is empty',
      source: 'shop',
      correlation: { order_id: 'ord_1' },
      payload: { items: [] },
    });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({ jobId: expect.stringMatching(/^job_[0-9a-z]{26}$/), status: 'queued' });
    await service.settled();

    const events = await user.api.get(`/events?project_id=${id}`);
    const eventId = accepted.body.jobId.replace('job_', 'evt_');
    expect(events.body).toMatchObject([{ id: eventId, severity: 'error', correlationId: 'ord_1' }]);
    const job = await ingest.get(`/ingest/jobs/${accepted.body.jobId}`);
    expect(job.body).toEqual({ jobId: accepted.body.jobId, status: 'processed', eventId, reason: null });
  });
});
