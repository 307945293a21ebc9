import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { anEvent } from './support.ts';

const MAX_ANSWER_BYTES = 700_000;
const LINES = 10_000;

describe('the answer to a bulk body', async () => {
  const service = await startTestService();
  const { ingest } = await (await service.signUp()).createProject();
  const send = (text: string, headers: Record<string, string> = {}) =>
    ingest.post('/ingest/bulk', gzipSync(text, { level: 9 }), {
      headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip', ...headers },
    });
  const sizeOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body));

  it('answers 10,000 bad lines in a few bytes hardly larger than good ones', async () => {
    const text = '1\n'.repeat(LINES);
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(100);
    const { status, body } = await send(text);
    expect(status).toBe(202);
    expect(body).toHaveLength(LINES);
    expect(sizeOf(body)).toBeLessThan(MAX_ANSWER_BYTES);
    expect(body[99].error).toMatchObject({
      status: 400,
      detail: expect.any(String),
      type: expect.any(String),
    });
    expect(body.slice(100)).toEqual(
      Array.from({ length: LINES - 100 }, () => ({ error: { status: 400, code: body[0].error.code } })),
    );
  });

  it('repeats the same small answer for an Idempotency-Key', async () => {
    const text = `${JSON.stringify(anEvent())}\n${'1\n'.repeat(LINES - 1)}`;
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(text, headers);
    const again = await send(text, headers);
    expect(again.body).toEqual(first.body);
    expect(sizeOf(again.body)).toBeLessThan(MAX_ANSWER_BYTES);
  });
});
