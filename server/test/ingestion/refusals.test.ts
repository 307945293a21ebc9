import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { anEvent } from './support.ts';

const LARGE = 'x'.repeat(1024 * 1024 + 1);
const JSON_TYPE = { 'content-type': 'application/json' };

describe('where several things are wrong', async () => {
  const service = await startTestService({ roles: ['ingestion', 'management'] });
  const user = await service.signUp();
  const { ingest } = await user.createProject();
  const anonymous = new ApiClient(service.ingestionUrl);

  it('answers an unknown address before any other error', async () => {
    for (const path of [
      '/ingest',
      '/ingest/',
      '/ingest/events/',
      '/ingest/nothing',
      '/events',
      '/ingest/jobs',
    ]) {
      expectProblem(
        await anonymous.post(path, LARGE, { headers: { 'content-type': 'text/plain' } }),
        'not_found',
      );
    }
  });

  it.each(['/ingest/events', '/ingest/server-error', '/ingest/webhook', '/ingest/payments', '/ingest/bulk'])(
    'answers a wrong method at %s next, and names the right one',
    async (path) => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await anonymous.request(method, path);
        expectProblem(answer, 'method_not_allowed');
        expect(answer.headers.get('allow')).toBe('POST');
      }
    },
  );

  it('answers the first of several errors at the address of a job, too', async () => {
    const answer = await anonymous.post('/ingest/jobs/job_1', LARGE);
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  it('answers the key next, then the content type, then the size, then the content', async () => {
    const path = '/ingest/events';
    const text = { headers: { 'content-type': 'text/plain' } };
    expectProblem(await anonymous.post(path, LARGE, text), 'invalid_api_key');
    expectProblem(await ingest.post(path, LARGE, text), 'unsupported_media_type');
    expectProblem(await ingest.post(path, LARGE, { headers: JSON_TYPE }), 'body_too_large');
    expectProblem(await ingest.post(path, '{', { headers: JSON_TYPE }), 'malformed_json');
    expectProblem(await ingest.post(path, {}), 'validation_failed');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/jsonx',
    'text/json',
  ])('refuses a body of type %s', async (type) => {
    const options = { headers: { 'content-type': type } };
    for (const path of ['/ingest/events', '/ingest/bulk']) {
      expectProblem(await ingest.post(path, JSON.stringify(anEvent()), options), 'unsupported_media_type');
    }
  });

  it('accepts NDJSON in bulk only', async () => {
    const options = { headers: { 'content-type': 'application/x-ndjson' } };
    expectProblem(
      await ingest.post('/ingest/events', JSON.stringify(anEvent()), options),
      'unsupported_media_type',
    );
    expect((await ingest.post('/ingest/bulk', JSON.stringify(anEvent()), options)).status).toBe(202);
  });

  it.each(['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'APPLICATION/JSON'])(
    'accepts a body of type %s',
    async (type) => {
      const options = { headers: { 'content-type': type } };
      expect((await ingest.post('/ingest/events', JSON.stringify(anEvent()), options)).status).toBe(202);
    },
  );

  it.each<[string, string | Uint8Array, 'malformed_json' | 'validation_failed']>([
    ['half an object', '{"type":"a"', 'malformed_json'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'malformed_json'],
    ['null', 'null', 'validation_failed'],
    ['a list', '[]', 'validation_failed'],
    ['a text', '"event"', 'validation_failed'],
    ['nothing', '', 'validation_failed'],
    [
      'a number that is infinite',
      `{"type":"a","severity":"INFO","message":"m","payload":{"a":1e400}}`,
      'validation_failed',
    ],
    ['a NUL', `{"type":"a","severity":"INFO","message":"\\u0000"}`, 'validation_failed'],
    [
      'a NUL in a key',
      `{"type":"a","severity":"INFO","message":"m","payload":{"\\u0000":1}}`,
      'validation_failed',
    ],
    ['a lone surrogate', `{"type":"\\ud800","severity":"INFO","message":"m"}`, 'validation_failed'],
  ])('refuses a body that is %s', async (_what, body, code) => {
    expectProblem(await ingest.post('/ingest/events', body, { headers: JSON_TYPE }), code);
  });

  it('accepts no events at the management port', async () => {
    expectProblem(await user.api.post('/ingest/events', anEvent()), 'not_found');
  });
});
