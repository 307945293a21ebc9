import { readFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const BUNDLE = '/docs/bundle/standalone.js';
const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

/** Sends a GET without the decoding of `fetch`. */
async function get(url: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      send(url, { headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('an answer that is the same for everybody', () => {
  const addresses = [service.managementUrl, service.ingestionUrl].flatMap((url) =>
    [BUNDLE, '/openapi.json'].map((path) => `${url}${path}`),
  );

  it.each(addresses)('sends the same bytes for each request, in the requested coding: %s', async (url) => {
    const plain = await get(url, {});
    for (const [coding, decode] of Object.entries(DECODERS)) {
      const answers = [];
      for (let count = 0; count < 2; count++) answers.push(await get(url, { 'accept-encoding': coding }));
      for (const { status, headers, bytes } of answers) {
        expect(status).toBe(200);
        expect(headers['content-encoding'] ?? 'identity').toBe(coding);
        expect(headers['content-length']).toBe(String(bytes.length));
        expect(headers['vary']).toBe('accept-encoding');
        expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
        expect(headers['etag']).toBe(answers[0]?.headers['etag']);
        expect(bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
        expect(decode(bytes).equals(plain.bytes)).toBe(true);
      }
    }
  });

  it.each([
    ['br', '.br'],
    ['gzip', '.gz'],
    ['deflate', ''],
    ['identity', ''],
  ])('sends the file that the build has compressed: %s', async (coding, suffix) => {
    const { bytes } = await get(`${service.managementUrl}${BUNDLE}`, { 'accept-encoding': coding });
    const file = new URL(`../../reference/standalone.js${suffix}`, import.meta.url);
    expect(bytes.equals(await readFile(file))).toBe(true);
  });

  it.each(addresses)('answers 304 to a client that has the file: %s', async (url) => {
    const { headers } = await get(url, { 'accept-encoding': 'br' });
    const known = String(headers['etag']);
    const again = await get(url, { 'accept-encoding': 'br', 'if-none-match': `"other", ${known}` });
    expect(again).toMatchObject({ status: 304, headers: { etag: known } });
    expect(again.bytes).toHaveLength(0);
    expect((await get(url, { 'accept-encoding': 'gzip', 'if-none-match': known })).status).toBe(200);
  });
});
