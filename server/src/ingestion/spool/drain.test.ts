import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { expect, it, onTestFinished } from 'vitest';
import { createPool } from '../../database/database.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { createLog } from '../../platform/log.ts';
import type { SpoolableQueue } from '../../queue/queue.ts';
import { ItemCounts } from '../intake/item-counts.ts';
import { encodeRecord } from './record.ts';
import { Spool } from './spool.ts';
import { declareSpoolLoop } from './spool-loop.ts';

const ID = '0190a000-0000-7000-8000-00000000000';

function aLine(claimKey: string): string {
  const claim = { key: claimKey, jobId: `${ID}3`, answer: null };
  const item = { projectId: `${ID}1`, keyId: `${ID}2`, events: [`{"id":"${ID}3"}`], claim };
  return encodeRecord({ receivedAt: new Date(systemClock.now()).toISOString(), item });
}

/** Starts the loop on a directory with a segment of a process that ended. */
async function start(segment: string, clock: Clock = systemClock) {
  const directory = await makeScratchDirectory();
  await mkdir(join(directory, 'former'));
  await writeFile(join(directory, 'former', '00000007.spool'), segment);
  const drained: (string | undefined)[] = [];
  const queue: SpoolableQueue = {
    append: () => Promise.reject(new Error('Nothing is sent.')),
    appendSpooled: async (items) => {
      drained.push(...items.map(({ claim }) => claim?.key));
      return items.map(() => ({ status: 'queued' }));
    },
  };
  // Nothing listens on the first port.
  const pool = createPool({
    connection: { connectionString: 'postgres://127.0.0.1:1/tocsin' },
    applicationName: 'test',
    maxConnections: 1,
    onError: () => {},
  });
  const spool = new Spool({ directory, clock, readFreeBytes: async () => Infinity });
  onTestFinished(async () => {
    await spool.close();
    await pool.end();
    await rm(directory, { recursive: true });
  });
  const { round } = declareSpoolLoop({
    spool,
    queue,
    pool,
    onCommit: () => {},
    clock,
    log: createLog('silent'),
    counts: new ItemCounts(),
    countLive: () => 0,
  });
  return { directory, drained, run: () => round(new AbortController().signal) };
}

it('drains around a record of a format that it does not know, and keeps its file', async () => {
  const segment = `${aLine('a')}00000000 {"format":2}\n${aLine('b')}`;
  const { directory, drained, run } = await start(segment);
  await run();
  expect(drained).toEqual(['a', 'b']);
  const [name = '', ...others] = await readdir(directory);
  expect([name, others]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}-00000007\.spool$/), []]);
  expect(await readFile(join(directory, name), 'utf8')).toBe(segment);
  expect(await run()).toBe('idle');
  expect(drained).toHaveLength(2);
});

it('removes a file whose last record a crash has cut off', async () => {
  const { directory, drained, run } = await start(aLine('a') + aLine('b').slice(0, 40));
  await run();
  expect(drained).toEqual(['a']);
  expect(await readdir(directory)).toEqual([]);
});

it('drains a folder that it could not read at first a minute later', async () => {
  let nowMs = systemClock.now();
  const { directory, drained, run } = await start(aLine('a'), { now: () => nowMs });
  const file = join(directory, 'former', '00000007.spool');
  await rm(file);
  await mkdir(file);
  await expect(run()).rejects.toThrow('EISDIR');
  const [folder = ''] = await readdir(directory);
  await rm(join(directory, folder, '00000007.spool'), { recursive: true });
  await writeFile(join(directory, folder, '00000007.spool'), aLine('a'));
  nowMs += MINUTE_MS + 1;
  await run();
  expect(drained).toEqual(['a']);
});

it('makes nothing a dead letter for a leap of the clock until it is confirmed', async () => {
  const nowMs = systemClock.now();
  const leaping = { now: () => nowMs + 13 * HOUR_MS, confirmed: () => nowMs };
  const waiting = await start(aLine('a'), leaping);
  await waiting.run();
  expect(waiting.drained).toEqual(['a']);
  const tooOld = await start(aLine('a'), { ...leaping, confirmed: leaping.now });
  await tooOld.run();
  expect(tooOld.drained).toEqual([]);
});
