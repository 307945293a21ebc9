import { readdir, rm, writeFile } from 'node:fs/promises';
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
    startedAt: '100.5',
    acceptedMs: 0,
    position: 2_000,
    atMs: 10_000,
  };
  await writeSeenPosition(file, seen, null);
  expect(await readSeenPosition(file)).toEqual(seen);
  for (const text of ['{"system":', '{"system":"7","timeline":2}']) {
    await writeFile(file, text);
    expect(await readSeenPosition(file)).toBeNull();
  }
});

it('keeps what a process that shares the directory has seen further, and leaves no draft', async () => {
  const directory = await makeScratchDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'database-position.json');
  const seen = { system: '7', timeline: 2, startedAt: '100.5', acceptedMs: 0, position: 2_000, atMs: 10_000 };
  await writeSeenPosition(file, seen, null);
  for (const earlier of [
    { position: 1_999 },
    { timeline: 1, position: 3_000 },
    { startedAt: '99', position: 3_000 },
  ]) {
    expect(await writeSeenPosition(file, { ...seen, ...earlier }, null)).toBe(false);
    expect(await readSeenPosition(file)).toEqual(seen);
  }
  const LATER = [
    { startedAt: '101' },
    { timeline: 3, startedAt: '50' },
    { timeline: 1, acceptedMs: 5 },
    { system: '8', timeline: 1 },
  ];
  for (const later of LATER) {
    expect(await writeSeenPosition(file, { ...seen, position: 10, ...later }, null)).toBe(true);
    expect(await readSeenPosition(file)).toMatchObject({ ...later, position: 10 });
  }
  expect(await readdir(directory)).toEqual(['database-position.json']);
});

it('takes back what it wrote itself, as for a database that was restored from before it was accepted', async () => {
  const directory = await makeScratchDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'database-position.json');
  const seen = { system: '7', timeline: 2, startedAt: '100.5', acceptedMs: 5, position: 2_000, atMs: 10_000 };
  await writeSeenPosition(file, seen, null);
  for (const earlier of [
    { acceptedMs: 0, timeline: 3 },
    { startedAt: '99', position: 3_000 },
  ]) {
    const own = JSON.stringify(await readSeenPosition(file));
    expect(await writeSeenPosition(file, { ...seen, ...earlier }, own)).toBe(true);
    expect(await readSeenPosition(file)).toMatchObject(earlier);
  }
});
