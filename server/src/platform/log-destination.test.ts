import { closeSync, constants, openSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fileOf, LogDestination, type LogFile } from './log-destination.ts';

/** A file whose writes take a limited number of bytes, and that refuses while `refusal` is set. */
class FakeFile implements LogFile {
  text = '';
  refusal: 'ENOSPC' | 'EAGAIN' | 'EPIPE' | null = null;
  mostBytes = Number.POSITIVE_INFINITY;

  writeNow = (bytes: Buffer): number => {
    if (this.refusal) throw Object.assign(new Error(this.refusal), { code: this.refusal });
    const taken = bytes.subarray(0, this.mostBytes);
    this.text += taken.toString('latin1');
    return taken.length;
  };
  write = async (bytes: Buffer): Promise<number> => this.writeNow(bytes);
}

function numbered(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `line ${from + index}\n`);
}

it('writes all lines in their order where the file takes a few bytes at a time', async () => {
  const file = new FakeFile();
  file.mostBytes = 7;
  const destination = new LogDestination(file);
  const lines = numbered(1_000);
  for (const line of lines) destination.write(line);
  await destination.flush(10_000);
  expect(file.text).toBe(lines.join(''));
});

it.each(['ENOSPC', 'EAGAIN', 'EPIPE'] as const)(
  'keeps the lines of an outage (%s) and writes them by itself once it is over',
  async (refusal) => {
    const file = new FakeFile();
    const destination = new LogDestination(file);
    file.refusal = refusal;
    for (const line of numbered(10)) destination.write(line);
    await vi.waitFor(() => expect(file.text).toBe(''));
    file.refusal = null;
    await destination.flush(10_000);
    expect(file.text).toBe(numbered(10).join(''));
    expect(destination.linesLost).toBe(0);
  },
);

it('drops and counts what is past the bound, and says in the log that lines are missing', async () => {
  const file = new FakeFile();
  const describeLoss = (lost: number) => `lost ${lost}\n`;
  const destination = new LogDestination(file, { maxWaitingBytes: 70, describeLoss });
  file.refusal = 'ENOSPC';
  for (const line of numbered(25, 10)) destination.write(line);
  expect(destination.linesLost).toBe(17);
  file.refusal = null;
  await destination.flush(10_000);
  expect(file.text).toBe(`${numbered(8, 10).join('')}lost 17\n`);

  destination.write('after\n');
  await destination.flush(10_000);
  expect(file.text).toMatch(/lost 17\nafter\n$/);
  expect(destination.linesLost).toBe(17);
});

it('writes what waits when the process ends, and gives up a file that refuses', () => {
  const file = new FakeFile();
  const destination = new LogDestination(file);
  file.refusal = 'EAGAIN';
  for (const line of numbered(3)) destination.write(line);
  destination.flushAtExit(20);
  expect(file.text).toBe('');

  const full = new FakeFile();
  full.refusal = 'ENOSPC';
  const given = new LogDestination(full);
  given.write('a line\n');
  given.flushAtExit(60_000);
  expect(full.text).toBe('');
});

it('never throws at a device without room, and keeps what it could not write', async () => {
  const fd = openSync('/dev/full', constants.O_WRONLY);
  onTestFinished(() => closeSync(fd));
  const destination = new LogDestination(fileOf(fd), { maxWaitingBytes: 1_000 });
  for (const line of numbered(1_000)) destination.write(line);
  await destination.flush(50);
  expect(destination.linesLost).toBeGreaterThan(800);
  destination.flushAtExit(60_000);
});
