import { afterEach, describe, expect, it } from 'vitest';
import { LastingThread } from './lasting-thread.ts';

/** Counts its tasks; ends by an error, or by itself, when it is told to. */
const COUNTING = `
  import { parentPort } from 'node:worker_threads';
  let count = 0;
  parentPort.on('message', ({ order, bytes }) => {
    if (order === 'fail') throw new TypeError('a fault');
    if (order === 'exit') process.exit(3);
    parentPort.postMessage({ count: ++count, bytes: bytes?.length ?? 0 });
  });`;

describe('a thread that lasts', () => {
  const makeThread = (idleMs: number) =>
    new LastingThread<{ order?: string; bytes?: Uint8Array }, { count: number; bytes: number }>({
      name: 'counting',
      entry: new URL(`data:text/javascript,${encodeURIComponent(COUNTING)}`),
      workerData: {},
      resourceLimits: { maxOldGenerationSizeMb: 16 },
      idleMs,
    });
  let thread = makeThread(60_000);
  afterEach(async () => {
    await thread.close();
    thread = makeThread(60_000);
  });

  it('takes one task after the other in the same thread, with buffers that are not copied', async () => {
    expect(await thread.run({})).toEqual({ count: 1, bytes: 0 });
    const bytes = new Uint8Array(10);
    expect(await thread.run({ bytes }, [bytes.buffer])).toEqual({ count: 2, bytes: 10 });
    expect(bytes.length).toBe(0);
  });

  it('rejects the task during which the thread ends, and begins another thread with the next one', async () => {
    await expect(thread.run({ order: 'fail' })).rejects.toThrow('a fault');
    expect(await thread.run({})).toMatchObject({ count: 1 });
    await expect(thread.run({ order: 'exit' })).rejects.toThrow('The counting thread has ended.');
    expect(await thread.run({})).toMatchObject({ count: 1 });
  });

  it('begins another thread after it was idle', async () => {
    thread = makeThread(0);
    expect(await thread.run({})).toMatchObject({ count: 1 });
    await expect.poll(async () => (await thread.run({})).count).toBe(1);
  });
});
