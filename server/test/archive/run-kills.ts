import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Random } from '@tocsin/simulation/random';
import { expect, it } from 'vitest';
import { rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';
import { startArchive } from './engine.ts';
import { COUNT, countEverywhere, fillWeeks, NOW_MS } from './filled-weeks.ts';

const PROGRAM = fileURLToPath(new URL('move-alone.ts', import.meta.url));
const TYPESCRIPT = fileURLToPath(new URL('../support/typescript-in-workers.mjs', import.meta.url));
const MOVED = (2 * COUNT) / 3;
/** Steps of a process until it is killed, and milliseconds within the step, at most. */
const [MAX_STEPS, MAX_DELAY_MS] = [12, 60];

const { copy } = await fillWeeks();

it('moves each event once by processes that are killed at any moment', async () => {
  const random = new Random(drawSeed());
  const { archive, engine } = await startArchive();
  const { pool, connectionString } = await copy();
  const start = () =>
    spawn(
      process.execPath,
      [
        '--conditions',
        'tocsin-source',
        '--import',
        TYPESCRIPT,
        PROGRAM,
        connectionString,
        engine.url,
        String(NOW_MS),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
  for (let kills = rounds(3, 60); kills > 0; kills--) {
    const child = start();
    const ended = once(child, 'exit');
    let left = 1 + Math.floor(MAX_STEPS * random.uniform());
    for await (const _ of createInterface(child.stdout)) if (--left === 0) break;
    await pause(MAX_DELAY_MS * random.uniform());
    child.kill('SIGKILL');
    await ended;
    const counted = await countEverywhere(pool, archive);
    // Nothing is lost meanwhile, and nothing is there twice.
    expect(counted.archive).toBe(counted.different);
    // As if the lease of the killed one had expired.
    await pool.query('DELETE FROM leases');
  }
  const [code] = await once(start(), 'exit');
  expect(code).toBe(0);
  expect(await countEverywhere(pool, archive)).toEqual({
    database: COUNT / 3,
    archive: MOVED,
    different: MOVED,
  });
});
