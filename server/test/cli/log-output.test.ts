import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDataDirectory } from '../support/data-directory.ts';
import { buildServer, type RunningProgram, startProgram } from '../support/program.ts';
import { rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';

const TEST_TIMEOUT_MS = scaled(120_000);

async function temporaryDirectory(): Promise<string> {
  const directory = await makeScratchDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

/** Opens a pipe that nothing is read from. */
async function openPipe(): Promise<{ reader: number; writer: number }> {
  const fifo = path.join(await temporaryDirectory(), 'fifo');
  await promisify(execFile)('mkfifo', [fifo]);
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(fifo, 'w') };
}

async function startWithLog(directory: string, stdout: number): Promise<RunningProgram> {
  const program = await startProgram(directory, { stdout, environment: { LOG_LEVEL: 'debug' } });
  closeSync(stdout);
  onTestFinished(async () => {
    program.signal('SIGKILL');
    await program.ended;
  });
  return program;
}

async function countLostLines(program: RunningProgram): Promise<number> {
  const text = await (await fetch(`${program.managementUrl}/metrics`)).text();
  return Number(/^tocsin_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
}

describe('a log that takes no more', async () => {
  // One after the other, on one cluster.
  await buildServer();
  const directory = await createDataDirectory();

  it(
    'does not keep the service from starting, serving and stopping in order where its disk is full',
    async () => {
      const full = openSync('/dev/full', 'w');
      const program = await startWithLog(directory, full);
      for (let request = 0; request < 20; request++) {
        expect((await fetch(`${program.ingestionUrl}/livez`)).status).toBe(200);
      }
      expect(await countLostLines(program)).toBe(0);
      program.signal('SIGTERM');
      expect(await program.ended).toBe(0);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'keeps the service answering and stopping while the reader of its log stalls',
    async () => {
      const { reader, writer } = await openPipe();
      onTestFinished(() => closeSync(reader));
      const program = await startWithLog(directory, writer);
      // A line each: more than a pipe holds, in the long form several times.
      for (let round = 0; round < rounds(15, 40); round++) {
        await Promise.all(Array.from({ length: 50 }, () => fetch(`${program.managementUrl}/livez`)));
      }
      expect((await fetch(`${program.managementUrl}/livez`)).status).toBe(200);
      program.signal('SIGTERM');
      expect(await program.ended).toBe(0);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'keeps the service running after its log’s reader has gone, and stops it in order on SIGTERM',
    async () => {
      const { reader, writer } = await openPipe();
      const program = await startWithLog(directory, writer);
      closeSync(reader);
      for (let request = 0; request < 20; request++) {
        expect((await fetch(`${program.ingestionUrl}/livez`)).status).toBe(200);
      }
      program.signal('SIGTERM');
      expect(await program.ended).toBe(0);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'loses no line if the process ends with much of its log unwritten',
    async () => {
      const directory = await temporaryDirectory();
      const program = path.join(directory, 'program.mjs');
      const source = new URL('../../dist/platform/log-destination.js', import.meta.url);
      await writeFile(
        program,
        `import { fileOf, LogDestination } from ${JSON.stringify(source.href)};
    process.stdout.on('error', () => {});
    const destination = new LogDestination(fileOf(1));
    process.on('exit', () => destination.flushAtExit(60_000));
    for (let i = 0; i < 50_000; i++) destination.write(\`line \${i}\\n\`);
    setImmediate(() => { throw new Error('uncaught'); });`,
      );
      const file = path.join(directory, 'log');
      const expected = Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join('');
      for (const [shell, read] of [
        [`exec "$0" "$1" > "${file}"`, true],
        ['exec "$0" "$1"', false],
      ] as const) {
        const child = spawn('sh', ['-c', shell, process.execPath, program], {
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
        const [code] = await once(child, 'close');
        expect(code).toBe(1);
        if (read) text = await readFile(file, 'utf8');
        expect(text === expected).toBe(true);
      }
    },
    TEST_TIMEOUT_MS,
  );
});
