import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { idleProcess, zombie } from '../testing.ts';
import { commandLine, exists, processStart } from './process-table.ts';

it('returns one start of a process for as long as it lives', async () => {
  const { pid = 0 } = await idleProcess();
  const start = await processStart(pid);
  expect(start).toMatch(/\d/);
  expect(await processStart(pid)).toBe(start);
});

it('tells apart a process that has ended, an impossible pid and a living process', async () => {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  expect(await processStart(child.pid ?? 0)).toBeNull();
  expect(await processStart(0)).toBeNull();
  expect(await processStart(Number.NaN)).toBeNull();
  expect(await processStart(process.pid)).not.toBeNull();
});

it('reports that a zombie has its pid, but does not run', async () => {
  const pid = await zombie();
  expect(await processStart(pid)).toBeNull();
  expect(exists(pid)).toBe(true);
});

it('returns a command line with a space after every argument', async () => {
  const { pid = 0 } = await idleProcess();
  await vi.waitFor(async () => expect(await commandLine(pid)).toBe('sleep 600 '));
});
