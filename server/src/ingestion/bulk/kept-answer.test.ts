import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiError, toProblem } from '../../platform/errors.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { packAnswer, unpackAnswer } from './kept-answer.ts';

const LINES = 10_000;

const job = () => ({ jobId: toId('job', newUuid(1_700_000_000_000)), status: 'queued' as const });
const problem = (name: string) => ({
  error: {
    ...toProblem(
      new ApiError('validation_failed', `body/${name} is required.`, {
        fields: [{ pointer: `/${name}`, message: 'is required' }],
      }),
      'a request',
    ),
  },
});
const lines = <T>(make: (index: number) => T) => Array.from({ length: LINES }, (_, index) => make(index));

describe('a kept answer', () => {
  it.each([
    ['one line', [job()]],
    ['a hundred lines', lines(job).slice(0, 100)],
    ['jobs alone', lines(job)],
    ['one job among equal problems', lines((index) => (index === 5_000 ? job() : problem('type')))],
    [
      'jobs and problems in turn',
      lines((index) => (index % 2 === 0 ? job() : problem(`field-${index % 5}`))),
    ],
    ['a different problem for each line', lines((index) => problem(`größe "${index}" 🎈`))],
  ])('restores the whole answer from its kept form, of %s', async (_what, answer) => {
    const kept = await packAnswer(answer);
    // As the database returns it.
    const read = JSON.parse(JSON.stringify(kept)) as typeof kept;
    expect(JSON.stringify(await unpackAnswer(read))).toBe(JSON.stringify(answer));
  });

  it('keeps ten thousand equal problems in no more room than a few, in whatever order', async () => {
    for (const names of [['type'], ['type', 'severity', 'message']]) {
      const answer = [job(), ...lines((index) => problem(names[index % names.length] ?? ''))];
      expect(JSON.stringify(answer).length).toBeGreaterThan(2_000_000);
      expect(JSON.stringify(await packAnswer(answer)).length).toBeLessThan(1_000);
    }
  });

  it('keeps a job in less than 20 bytes', async () => {
    expect(JSON.stringify(await packAnswer(lines(job))).length).toBeLessThan(LINES * 20);
  });

  it('refuses to keep an answer that stays large, before anything is accepted', async () => {
    const noise = [job(), ...lines(() => problem(randomBytes(128).toString('hex')))];
    await expect(packAnswer(noise)).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { fields: [{ pointer: '/idempotency-key' }] },
    });
    const long = [job(), ...lines((index) => problem(`${index}${'x'.repeat(1_000)}`))];
    await expect(packAnswer(long)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
