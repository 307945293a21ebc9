import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../testing.ts';
import { BALLAST_BYTES } from './ballast.ts';
import { ENOUGH_BYTES, FreeSpace, LOW_BYTES, SCARCE_BYTES } from './free-space.ts';

describe('the free space of the data directory', () => {
  let directory: string;
  let space: FreeSpace;
  let freeBytes: number;
  let lines: string[];
  const ballast = () => join(directory, 'ballast');

  const measureAt = async (bytes: number) => {
    freeBytes = bytes;
    return space.measure();
  };

  beforeEach(async () => {
    directory = await temporaryDirectory();
    lines = [];
    const log = pino(
      { level: 'info', formatters: { level: (label) => ({ level: label }) } },
      { write: (line) => void lines.push(line) },
    );
    space = new FreeSpace({ dataDirectory: directory, log, measure: async () => freeBytes });
  });

  it('reports low space below one bound and enough space above a higher one, each logged once', async () => {
    expect(space.freeBytes).toBeNull();
    await measureAt(LOW_BYTES);
    expect(space.isLow).toBe(false);
    await measureAt(LOW_BYTES - 1);
    await measureAt(LOW_BYTES - 2);
    expect(space.isLow).toBe(true);
    expect(space.isScarce).toBe(false);
    await measureAt(ENOUGH_BYTES - 1);
    expect(space.isLow).toBe(true);
    await measureAt(SCARCE_BYTES - 1);
    expect(space.isScarce).toBe(true);
    await measureAt(ENOUGH_BYTES);
    expect([space.isLow, space.isScarce]).toEqual([false, false]);
    expect(space.freeBytes).toBe(ENOUGH_BYTES);
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error', 'warn']);
  });

  it('checks the free space more often where there is little', async () => {
    expect(await measureAt(4 * 2 ** 30)).toBe(false);
    expect(await measureAt(2 ** 29)).toBe(true);
  });

  it('keeps a reserve where there is room for it, which the next start of PostgreSQL may use', async () => {
    await measureAt(ENOUGH_BYTES + BALLAST_BYTES - 1);
    expect(existsSync(ballast())).toBe(false);
    await measureAt(ENOUGH_BYTES + BALLAST_BYTES);
    expect(statSync(ballast()).size).toBe(BALLAST_BYTES);

    await space.makeRoom();
    expect(existsSync(ballast())).toBe(true);
    freeBytes = LOW_BYTES - 1;
    await space.makeRoom();
    expect(existsSync(ballast())).toBe(false);

    // It was too small when the process was killed.
    await writeFile(ballast(), 'x');
    await measureAt(2 ** 31);
    expect(statSync(ballast()).size).toBe(BALLAST_BYTES);
  });

  it('does not keep a start from going on where it cannot be measured', async () => {
    const log = pino(
      { level: 'info', formatters: { level: (label) => ({ level: label }) } },
      { write: (line) => void lines.push(line) },
    );
    const missing = new FreeSpace({ dataDirectory: join(directory, 'missing'), log });
    await missing.makeRoom();
    expect(missing.isLow).toBe(false);
    expect(lines).toEqual([]);

    const failing = new FreeSpace({
      dataDirectory: directory,
      log,
      measure: () => Promise.reject(Object.assign(new Error('not implemented'), { code: 'ENOSYS' })),
    });
    await failing.makeRoom();
    expect([failing.isLow, failing.freeBytes]).toEqual([false, null]);
    expect(lines).toHaveLength(1);
  });

  it('measures the free space by the file system', async () => {
    const measured = new FreeSpace({ dataDirectory: directory, log: pino({ level: 'silent' }) });
    await measured.measure();
    expect(measured.freeBytes).toBeGreaterThan(0);
  });
});
