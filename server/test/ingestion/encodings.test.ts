import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { anEvent, storedEvent } from './support.ts';

type Pack = (text: string) => Buffer;

const HAS_ZSTD = 'zstdCompressSync' in zlib;
const CODINGS: [string, Pack][] = [
  ['gzip', (text) => zlib.gzipSync(text)],
  ['deflate', (text) => zlib.deflateSync(text)],
  ['br', (text) => zlib.brotliCompressSync(text)],
];

describe('a compressed body', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { ingest } = await user.createProject();
  const send = (
    coding: string,
    body: Buffer | string,
    path = '/ingest/events',
    type = 'application/json',
  ): Promise<Answer> =>
    ingest.post(path, typeof body === 'string' ? body : new Uint8Array(body), {
      headers: { 'content-type': type, 'content-encoding': coding },
    });

  it.each(CODINGS)('accepts a compressed body as %s', async (coding, pack) => {
    const event = anEvent({ message: '🔥 Grüße', payload: { text: 'x'.repeat(100_000) } });
    const stored = await storedEvent(user, await send(coding, pack(JSON.stringify(event))));
    expect(stored).toMatchObject({ message: event.message, payload: event.payload });
  });

  it.each(CODINGS)('accepts, as %s, a compressed bulk body', async (coding, pack) => {
    const lines = `${JSON.stringify(anEvent())}\n${JSON.stringify(anEvent())}\n`;
    const answer = await send(coding, pack(lines), '/ingest/bulk', 'application/x-ndjson');
    expect(answer).toMatchObject({ status: 202, body: [{ status: 'queued' }, { status: 'queued' }] });
  });

  it.each(CODINGS)('refuses a broken body that is compressed as %s', async (coding, pack) => {
    const packed = pack(JSON.stringify(anEvent({ message: 'x'.repeat(5_000) })));
    expectProblem(await send(coding, Buffer.from('this is not compressed at all')), 'malformed_json');
    expectProblem(await send(coding, packed.subarray(0, packed.length / 2)), 'malformed_json');
    expectProblem(await send(coding, packed.subarray(0, 0)), 'malformed_json');
  });

  it.each(CODINGS)(
    'refuses a body compressed as %s that exceeds the limit when decompressed',
    async (coding, pack) => {
      const bomb = pack(JSON.stringify(anEvent({ payload: { text: 'x'.repeat(100 * 1024 * 1024) } })));
      expect(bomb.length).toBeLessThan(1024 * 1024);
      expectProblem(await send(coding, bomb), 'body_too_large');
      expectProblem(await send(coding, bomb, '/ingest/bulk'), 'body_too_large');
    },
  );

  it.each(['compress', 'x-snappy', 'gzip, br', 'gzip2', ...(HAS_ZSTD ? [] : ['zstd'])])(
    'refuses a body in the coding %s, and names the supported codings',
    async (coding) => {
      const answer = await send(coding, zlib.gzipSync(JSON.stringify(anEvent())));
      expectProblem(answer, 'unsupported_encoding');
      expect(answer.headers.get('accept-encoding')).toMatch(/^gzip, deflate, br(, zstd)?$/);
    },
  );

  it('accepts the next request after a bad compressed body', async () => {
    await send('gzip', 'broken');
    expect((await ingest.post('/ingest/events', anEvent())).status).toBe(202);
  });
});
