import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { anEvent } from './support.ts';

describe('a job', async () => {
  const service = await startTestService({ roles: ['ingestion', 'management'] });
  const { pool } = service.database;
  const user = await service.signUp();
  const project = await user.createProject();
  const other = await user.createProject();

  it('answers a job as queued until a worker has stored it, in bulk and alone, and as processed afterwards', async () => {
    const single = (await project.ingest.post('/ingest/events', anEvent())).body;
    const bulk = (await project.ingest.post('/ingest/bulk', [anEvent(), anEvent()])).body[1];
    const refused = (await project.ingest.post('/ingest/events', anEvent())).body;
    for (const { jobId } of [single, bulk, refused]) {
      const answer = await project.ingest.get(`/ingest/jobs/${jobId}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ jobId, status: 'queued', eventId: null, reason: null });
    }

    // Validation refuses such a batch: only a direct write into the database can make one.
    const uuid = toUuid('job', refused.jobId);
    await pool.query(
      `UPDATE queue SET events = replace(events, '"severity":"info"', '"severity":"none"')
        WHERE strpos(events, $1) > 0`,
      [uuid],
    );
    const worker = await startTestService({ roles: ['worker'], database: service.database });
    for (const { jobId } of [single, bulk]) {
      const body = await waitFor('the job to be processed', async () => {
        const answer = await project.ingest.get(`/ingest/jobs/${jobId}`);
        return answer.body.status === 'processed' && answer.body;
      });
      expect(body).toEqual({
        jobId,
        status: 'processed',
        eventId: jobId.replace('job_', 'evt_'),
        reason: null,
      });
    }
    const failed = await waitFor('the job to fail', async () => {
      const { body } = await project.ingest.get(`/ingest/jobs/${refused.jobId}`);
      return body.status === 'failed' && body;
    });
    expect(failed).toEqual({
      jobId: refused.jobId,
      status: 'failed',
      eventId: null,
      reason: expect.stringMatching(/22P02/),
    });
    await worker.stop();
  });

  it('hides a job of another project, queued or processed, also where both came in one batch', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? project : other).ingest.post('/ingest/events', anEvent()),
      ),
    );
    const { rows } = await pool.query('SELECT FROM queue WHERE deltas ? $1 AND deltas ? $2', [
      toUuid('proj', project.id),
      toUuid('proj', other.id),
    ]);
    expect(rows.length).toBeGreaterThan(0);
    for (const [index, { body }] of answers.entries()) {
      const [own, foreign] = index % 2 ? [project, other] : [other, project];
      expect((await own.ingest.get(`/ingest/jobs/${body.jobId}`)).body.status).toBe('queued');
      expectProblem(await foreign.ingest.get(`/ingest/jobs/${body.jobId}`), 'not_found');
    }
    const worker = await startTestService({ roles: ['worker'], database: service.database });
    await service.settled();
    const jobId = answers[0]?.body.jobId;
    expect((await other.ingest.get(`/ingest/jobs/${jobId}`)).body.status).toBe('processed');
    expectProblem(await project.ingest.get(`/ingest/jobs/${jobId}`), 'not_found');
    await worker.stop();
  });

  it.each([
    'job_00000000000000000000000000',
    'job_x',
    'nothing',
    '%00',
    'evt_01h455vb4pex5vsknk084sn02q',
    'job_%F0%9F%94%A5',
  ])('answers 404 for a job id such as %s', async (jobId) => {
    expectProblem(await project.ingest.get(`/ingest/jobs/${jobId}`), 'not_found');
  });

  it('answers no job that an event only names in its payload', async () => {
    const foreign = (await other.ingest.post('/ingest/events', anEvent())).body.jobId;
    const payload = { id: toUuid('job', foreign), nested: [{ id: toUuid('job', foreign) }] };
    await project.ingest.post('/ingest/events', anEvent({ payload }));
    expectProblem(await project.ingest.get(`/ingest/jobs/${foreign}`), 'not_found');
  });
});
