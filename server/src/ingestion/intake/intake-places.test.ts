import { describe, expect, it, vi } from 'vitest';
import { item, OPEN, settle, startIntake } from './testing.ts';

describe('the places of the intake', () => {
  it('bounds a batch by its bytes, and still takes an item that is larger than a batch', async () => {
    const { queue, append } = startIntake({ maxBatchBytes: 10 });
    append('a', '0');
    await settle();
    append('a', '1'.repeat(6));
    append('b', '2'.repeat(6));
    append('c', '3'.repeat(30));
    for (let commit = 0; commit < 3; commit++) await queue.end();
    expect(queue.batches.map(({ items }) => items.length)).toEqual([1, 1, 1, 1]);
  });

  it('answers 429 to a project that holds half of the places, while another is still taken', async () => {
    const { queue, append, outcomes } = startIntake();
    append('a', 'under way');
    await settle();
    for (let count = 0; count < 5; count++) append('a', `${count}`);
    append('b', '1');
    await settle();
    expect(outcomes).toEqual(['project_over_share']);
    await queue.end();
    expect(queue.names()[1]).toContain('b1');
  });

  it('answers 429 to a project that holds half of the bytes', async () => {
    const { append, outcomes } = startIntake();
    append('a', 'under way');
    await settle();
    append('a', 'x'.repeat(400));
    append('a', 'y'.repeat(200));
    append('b', 'z'.repeat(200));
    await settle();
    expect(outcomes).toEqual(['project_over_share']);
  });

  it('answers 503 to every project once all places or bytes are taken, with a time to try again', async () => {
    const { intake, append, outcomes } = startIntake();
    append('x', 'under way');
    await settle();
    for (const project of ['a', 'b']) for (let count = 0; count < 4; count++) append(project, `${count}`);
    await expect(intake.append(item('c', '1'), OPEN)).rejects.toMatchObject({
      code: 'unavailable',
      extras: { retryAfterSeconds: 1 },
    });
    const other = startIntake();
    other.append('x', 'under way');
    await settle();
    for (const project of ['a', 'b', 'c']) other.append(project, 'x'.repeat(400));
    await settle();
    expect([outcomes, other.outcomes]).toEqual([[], ['unavailable']]);
  });

  it('lets a patient request wait for a place, and refuses it once its patience or its client is gone', async () => {
    let nowMs = 0;
    const { queue, intake, append } = startIntake({}, () => nowMs);
    append('a', 'under way');
    await settle();
    for (let count = 0; count < 4; count++) append('a', `${count}`);
    await expect(intake.append(item('a', 'left'), { destroyed: true }, 5_000)).rejects.toMatchObject({
      code: 'project_over_share',
    });
    const late = expect(intake.append(item('a', 'late'), OPEN, 5_000)).rejects.toMatchObject({
      code: 'project_over_share',
    });
    nowMs = 5_001;
    await late;
    const next = intake.append(item('a', 'next'), OPEN, 5_000);
    await queue.end();
    await vi.waitFor(() => expect(intake.waiting).toBe(1));
    await queue.end();
    await queue.end();
    expect(await next).toEqual({ status: 'queued' });
  });

  it('frees the places of a batch once it has left', async () => {
    const { queue, intake, append, outcomes } = startIntake();
    append('x', 'under way');
    await settle();
    for (const project of ['a', 'b']) for (let count = 0; count < 4; count++) append(project, `${count}`);
    await queue.end();
    expect(intake.waiting).toBe(4);
    append('c', '1');
    await settle();
    expect(outcomes).toEqual(['queued']);
  });
});
