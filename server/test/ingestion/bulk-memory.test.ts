import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { createDataDirectory } from '../support/data-directory.ts';
import { signUpAt } from '../support/exactly-once.ts';
import { expectProblem } from '../support/problems.ts';
import { BUILD_TIMEOUT_MS, buildServer, startUntilEnd } from '../support/program.ts';
import { rounds } from '../support/test-length.ts';
import { anEvent } from './support.ts';

const MAX_BYTES = 10 * 1024 * 1024;

/** Returns a body of almost 10 MiB. */
const filled = (before: string, unit: string, after: string) =>
  before + unit.repeat(Math.floor((MAX_BYTES - before.length - after.length) / unit.length)) + after;

const dense = (values: number) =>
  JSON.stringify(anEvent({ payload: { list: Array.from({ length: values }, () => ({})) } }));

describe('a process with a heap of 192 MiB', () => {
  it(
    'survives bulk bodies of a few kilobytes that unpack to millions of lines, elements or values',
    async () => {
      await buildServer();
      const program = await startUntilEnd(await createDataDirectory(), {
        environment: { NODE_OPTIONS: '--max-old-space-size=192' },
      });
      const { project } = await signUpAt(program);
      const ingest = new ApiClient(program.ingestionUrl, { 'x-api-key': project.apiKey });
      const send = (body: string | Buffer, type: string) =>
        ingest.post('/ingest/bulk', new Uint8Array(gzipSync(body)), {
          headers: { 'content-type': type, 'content-encoding': 'gzip' },
        });
      const [lines, array] = ['application/x-ndjson', 'application/json'];

      const refused = [
        ['validation_failed', lines, filled('', '1\n', '')],
        ['validation_failed', lines, Buffer.from(filled('x\n', '1\n', '')).fill(0xff, 0, 1)],
        ['validation_failed', lines, filled('', '\n', '')],
        ['validation_failed', array, filled('[', '1,', '1]')],
        ['validation_failed', array, filled('[', '{},', '{}]')],
        ['malformed_json', array, filled('', '[', '')],
        ['validation_failed', array, filled('{"a":[', '{},', '{}]}')],
      ] as const;
      const answers = await Promise.all(
        Array.from({ length: rounds(1, 2) }, () => refused)
          .flat()
          .map(async ([code, type, body]) => ({
            code,
            answer: await send(body, type),
          })),
      );
      for (const { code, answer } of answers) expectProblem(answer, code);

      const codesOf = async (body: string, type: string) =>
        (await send(body, type)).body.map((result: { error?: { code: string } }) => result.error?.code);
      expect(await codesOf(filled('[[', '{},', '{}]]'), array)).toEqual(['body_too_large']);
      expect(await codesOf(`[${dense(49_990)},${dense(50_000)},1]`, array)).toEqual([
        undefined,
        'validation_failed',
        'validation_failed',
      ]);
      expect(await codesOf(`${dense(49_990)}\n${dense(50_000)}\n1`, lines)).toEqual([
        undefined,
        'validation_failed',
        'validation_failed',
      ]);
      const busy = `${dense(300)}\n`.repeat(9_000).slice(0, MAX_BYTES);
      await Promise.all(Array.from({ length: 3 }, () => send(busy, lines)));
      expect((await ingest.get('/livez')).status).toBe(200);
      expect((await ingest.post('/ingest/events', anEvent())).status).toBe(202);
    },
    BUILD_TIMEOUT_MS * 2,
  );
});
