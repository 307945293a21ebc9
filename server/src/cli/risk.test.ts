import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProgram } from './program.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tocsin-risk-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('tocsin risk replay', () => {
  it('prints a line of JSON for each incident of each file', async () => {
    const calm = await write('calm.csv', () => 40);
    const burst = await write('burst.csv', (minute) => (minute >= 1_000 && minute < 1_010 ? 900 : 40));
    expect(await replay(calm, burst)).toEqual([
      {
        file: burst,
        openedAt: '2026-01-05T16:40:00.000Z',
        resolvedAt: expect.stringMatching(/^2026-01-05T1[78]:/),
        direction: 'up',
        observed: 900,
        expected: expect.closeTo(40, 0),
        window: 60,
        severity: 'critical',
      },
    ]);
  });

  it('takes steps of minutes, hours and days', async () => {
    // With steps of an hour nothing opens on the first day, whose rhythm is not known yet.
    const file = await write('steps.csv', (minute) => (minute >= 4_260 ? 900 : 40), 4_320);
    const windows = async (step: string) =>
      (await replay('--step', step, file)).map((line) => (line as { window: number }).window);
    expect(await windows('1h')).toEqual([3_600]);
    expect(await windows('60m')).toEqual([3_600]);
    expect(await windows('1d')).toEqual([]);
    const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      for (const step of ['8d', '1y', '-1h', 'h']) {
        await expect(replay('--step', step, file)).rejects.toThrow('process.exit');
        expect(spy).toHaveBeenLastCalledWith(expect.stringContaining('up to a week'));
      }
    } finally {
      spy.mockRestore();
    }
  });

  it('says on stderr that values can open nothing, and prints lines of JSON alone', async () => {
    const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const file = await write('shares.csv', () => 0.03);
      expect(await replay(file)).toEqual([]);
      expect(spy.mock.calls.map(([text]) => text)).toEqual([
        expect.stringMatching(/shares\.csv: no window holds 5 events.*: nothing can open\..*\n$/),
        expect.stringMatching(/shares\.csv: 100% of its values are not whole/),
      ]);
    } finally {
      spy.mockRestore();
    }
  });

  it('names the file and the line that is wrong', async () => {
    const file = path.join(directory, 'wrong.csv');
    await writeFile(file, 'timestamp,value\n0,1\n60,many\n');
    await expect(replay(file)).rejects.toThrow(`${file}, line 3: "many" is not a number.`);
    await expect(replay(path.join(directory, 'none.csv'))).rejects.toThrow(
      /none\.csv cannot be read: ENOENT/,
    );
  });
});

async function write(name: string, countOf: (minute: number) => number, minutes = 1_440): Promise<string> {
  const file = path.join(directory, name);
  const startSeconds = Date.UTC(2026, 0, 5) / 1000;
  const lines = Array.from({ length: minutes }, (_, i) => `${startSeconds + 60 * i},${countOf(i)}`);
  await writeFile(file, `timestamp,value\n${lines.join('\n')}\n`);
  return file;
}

async function replay(...args: string[]): Promise<unknown[]> {
  const printed: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const program = await createProgram({}, 'risk');
    await program.parseAsync(['risk', 'replay', ...args], { from: 'user' });
  } finally {
    spy.mockRestore();
  }
  return printed.map((line) => JSON.parse(line) as unknown);
}
