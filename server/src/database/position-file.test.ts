import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { expect, it, onTestFinished } from 'vitest';
import { readSeenPosition, writeSeenPosition } from './position-file.ts';

it('hands a position on to the next process, and nothing where the file is missing or damaged', async () => {
  const directory = await makeScratchDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'spool', 'database-position.json');
  expect(await readSeenPosition(file)).toBeNull();
  const seen = {
    system: '7',
    timeline: 2,
    startedAt: 'Monday',
    acceptedMs: 0,
    position: 2_000,
    atMs: 10_000,
  };
  await writeSeenPosition(file, seen);
  expect(await readSeenPosition(file)).toEqual(seen);
  for (const text of ['{"system":', '{"system":"7","timeline":2}']) {
    await writeFile(file, text);
    expect(await readSeenPosition(file)).toBeNull();
  }
});
