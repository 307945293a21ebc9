import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ServingLine } from './keeper.ts';

/** Process that serves after the first of the line. */
const SECOND = 20;
const THIRD = 30;

describe('the line of processes that serve', () => {
  it('goes on when a process ends in whose place another one serves', async () => {
    const pipe = new PassThrough();
    const line = new ServingLine(SECOND, pipe);
    pipe.write(`serving ${THIRD}\nended ${SECOND} 1\nended ${THIRD} 0\n`);
    expect(await line.ended).toBe(0);
  });

  it('ends with a failure when the pipe closes, since no process has told its end', async () => {
    const pipe = new PassThrough();
    const line = new ServingLine(SECOND, pipe);
    pipe.destroy();
    expect(await line.ended).toBe(1);
  });
});
