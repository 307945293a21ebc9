import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { LastLines, readLines } from './log-lines.ts';

async function linesOf(...chunks: (string | Buffer)[]): Promise<string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await finished(stream);
  return lines;
}

it('returns whole lines however the chunks fall, and leaves out empty ones', async () => {
  const euro = Buffer.from('€');
  expect(await linesOf('a', 'b\nc', '\n\n', euro.subarray(0, 1), euro.subarray(1), '\r\nend')).toEqual([
    'ab',
    'c',
    '€',
    'end',
  ]);
});

it('keeps only the beginning of a line without end', async () => {
  const [first, second] = await linesOf(...Array.from({ length: 100 }, () => 'x'.repeat(1_000)), '\nnext\n');
  expect(first).toHaveLength(2_000);
  expect(second).toBe('next');
});

it('bounds the number of last lines', () => {
  const lines = new LastLines();
  for (let number = 1; number <= 50; number += 1) lines.add(String(number));
  expect(lines.toString().split('\n')).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 31)));
});

it('keeps one of a repeated line, and the reason before it', () => {
  const lines = new LastLines();
  lines.add('PANIC: No space left on device');
  for (let count = 0; count < 50; count += 1) lines.add('FATAL: not yet accepting connections');
  lines.add('LOG: shut down');
  expect(lines.toString().split('\n')).toEqual([
    'PANIC: No space left on device',
    'FATAL: not yet accepting connections',
    'LOG: shut down',
  ]);
});
