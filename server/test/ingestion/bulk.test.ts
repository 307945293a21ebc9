import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { anEvent, storedEvent } from './support.ts';

const MIB = 1024 * 1024;
const NDJSON = { 'content-type': 'application/x-ndjson' };

describe('a bulk body', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const project = await user.createProject();
  const send = (
    body: string | Uint8Array | unknown[],
    headers: Record<string, string> = NDJSON,
  ): Promise<Answer> =>
    project.ingest.post('/ingest/bulk', body, { headers: Array.isArray(body) ? {} : headers });
  const toLines = (events: unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');
  /** Returns the result of each line: the error code of a refused one. */
  const codesOf = ({ status, body }: Answer) => {
    expect(status).toBe(202);
    return body.map(
      (result: { status?: string; error?: { code: string } }) => result.status ?? result.error?.code,
    );
  };

  it.each([
    ['lines', toLines],
    ['a JSON array', (events: unknown[]) => events],
  ])('accepts a bulk body of %s event by event, with results in order', async (_what, write) => {
    const events = Array.from({ length: 5 }, (_, index) => anEvent({ message: `Message ${index}` }));
    const answer = await send(write(events));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual(
      events.map(() => ({ jobId: expect.stringMatching(/^job_[0-9a-z]{26}$/), status: 'queued' })),
    );
    for (const [index, result] of answer.body.entries()) {
      const stored = await storedEvent(user, { ...answer, body: result });
      expect(stored).toMatchObject({ message: `Message ${index}`, severity: 'info', projectId: project.id });
    }
  });

  it('accepts the good lines of a bulk body with bad ones', async () => {
    const lines = [
      JSON.stringify(anEvent({ message: 'first' })),
      'no JSON',
      '{"type":"t"}',
      JSON.stringify(anEvent({ severity: 'info' })),
      JSON.stringify(anEvent({ message: 'a NUL \0' })),
      '{"type":"t","severity":"INFO","message":"\\ud800"}',
      '[]',
      'null',
      JSON.stringify(anEvent({ capturedAt: '1999-01-01T00:00:00Z' })),
      '{"type":"t","severity":"INFO","message":"m","payload":{"a":1e400}}',
      JSON.stringify(anEvent({ message: 'last' })),
    ];
    const answer = await send(lines.join('\n'));
    const bad = 'validation_failed';
    expect(codesOf(answer)).toEqual(['queued', 'malformed_json', ...Array(8).fill(bad), 'queued']);
    expect((await storedEvent(user, { ...answer, body: answer.body[0] })).message).toBe('first');
    expect((await storedEvent(user, { ...answer, body: answer.body.at(-1) })).message).toBe('last');
    expect(answer.body[2].error).toMatchObject({
      status: 400,
      code: bad,
      errors: [{ pointer: '/severity', message: expect.any(String) }],
    });
  });

  it('accepts the good elements of an array with bad ones', async () => {
    const answer = await send([
      anEvent(),
      5,
      { type: 't' },
      null,
      anEvent({ message: 'a NUL \0' }),
      anEvent(),
    ]);
    const bad = 'validation_failed';
    expect(codesOf(answer)).toEqual(['queued', bad, bad, bad, bad, 'queued']);
  });

  it('accepts the good lines of a bulk body with a line that is not UTF-8', async () => {
    const good = Buffer.from(`${JSON.stringify(anEvent({ message: 'Grüße 🔥' }))}\n`);
    const answer = await send(
      new Uint8Array(Buffer.concat([good, Buffer.from([0x22, 0xff, 0x22, 0x0a]), good])),
    );
    expect(codesOf(answer)).toEqual(['queued', 'malformed_json', 'queued']);
    expect((await storedEvent(user, { ...answer, body: answer.body[2] })).message).toBe('Grüße 🔥');
  });

  it('answers 202 to a bulk body even if no line is good', async () => {
    expect(codesOf(await send('x\ny'))).toEqual(['malformed_json', 'malformed_json']);
  });

  it('accepts blank lines, Windows line ends, a last line with or without end, and a byte order mark', async () => {
    const line = JSON.stringify(anEvent());
    expect(codesOf(await send(`\n${line}\n\n  \n${line}\n\n`))).toEqual(['queued', 'queued']);
    expect(codesOf(await send(`${line}\r\n\r\n${line}\r\n`))).toEqual(['queued', 'queued']);
    expect(codesOf(await send(`\uFEFF${line}\n${line}`))).toEqual(['queued', 'queued']);
  });

  it.each<[string, string | unknown[], Record<string, string>]>([
    ['nothing', '', NDJSON],
    ['blank lines only', '\n\r\n  \n', NDJSON],
    ['an empty array', [], {}],
    ['nothing in JSON', '', { 'content-type': 'application/json' }],
  ])('refuses a bulk body of %s', async (_what, body, headers) => {
    const answer = await send(body, headers);
    expect(answer.status).toBe(400);
  });

  it('refuses a bulk body that is JSON but no array', async () => {
    const json = { 'content-type': 'application/json' };
    expectProblem(await send(JSON.stringify(anEvent()), json), 'validation_failed');
    expectProblem(await send('[1', json), 'malformed_json');
  });

  it('accepts and stores 10,000 lines in a bulk body, and no more', async () => {
    const { id, ingest } = await user.createProject();
    const lines = Array.from({ length: 10_000 }, (_, index) => anEvent({ message: `${index}` }));
    const answer = await ingest.post('/ingest/bulk', toLines(lines), { headers: NDJSON });
    expect(answer.status).toBe(202);
    expect(new Set(answer.body.map((result: { jobId: string }) => result.jobId)).size).toBe(10_000);
    await waitFor('all of them to be stored', async () => {
      const { body } = await user.api.get(`/projects/${id}/ledger`);
      return body.stored === 10_000;
    });
    const over = toLines([...lines, anEvent()]);
    expectProblem(await ingest.post('/ingest/bulk', over, { headers: NDJSON }), 'validation_failed');
    expectProblem(await ingest.post('/ingest/bulk', [...lines, anEvent()]), 'validation_failed');
    const { body } = await user.api.get(`/projects/${id}/ledger`);
    expect(body).toMatchObject({ accepted: 10_000, stored: 10_000 });
  });

  it('accepts lines of 1 MiB, and refuses only a larger line', async () => {
    const frame = JSON.stringify(anEvent({ payload: { text: '' } })).length;
    const line = (bytes: number) => anEvent({ payload: { text: 'x'.repeat(bytes - frame) } });
    const events = [anEvent(), line(MIB), line(MIB + 1), anEvent()];
    const expected = ['queued', 'queued', 'body_too_large', 'queued'];
    expect(codesOf(await send(toLines(events)))).toEqual(expected);
    expect(codesOf(await send(events))).toEqual(expected);
  });

  it('accepts a bulk body of 10 MiB, measured after decompression, and no more', async () => {
    const line = `${JSON.stringify(anEvent({ payload: { text: 'x'.repeat(1_000_000) } }))}\n`;
    const full = line.repeat(10) + '\n'.repeat(10 * MIB - 10 * line.length);
    const gzip = { ...NDJSON, 'content-encoding': 'gzip' };
    expect(codesOf(await send(full))).toEqual(Array(10).fill('queued'));
    expect(codesOf(await send(new Uint8Array(gzipSync(full)), gzip))).toEqual(Array(10).fill('queued'));
    expectProblem(await send(`${full}\n`), 'body_too_large');
    expectProblem(await send(new Uint8Array(gzipSync(`${full}\n`)), gzip), 'body_too_large');
  });

  it('reveals no internals in the result of a bad line', async () => {
    const { body } = await send('{"type":\n{}');
    expect(JSON.stringify(body)).not.toMatch(/node_modules|SyntaxError|\bat /);
  });
});
