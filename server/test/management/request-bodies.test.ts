import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const KIB = 1024;

describe('a request body', async () => {
  const service = await startTestService();
  const { api } = await service.signUp('Ada');
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    api.request('POST', '/projects', { body, headers: { ...JSON_TYPE, ...headers } });
  /** Returns a body of exactly this many bytes. */
  const sized = (bytes: number) => {
    const empty = '{"name":"Shop","x":""}';
    return empty.replace('""}', `"${'x'.repeat(bytes - empty.length)}"}`);
  };

  it('accepts a request body of 64 KiB and no byte more', async () => {
    expect((await post(sized(64 * KIB))).status).toBe(201);
    expectProblem(await post(sized(64 * KIB + 1)), 'body_too_large');
  });

  it('accepts a request body of 8 KiB below /auth and no byte more', async () => {
    const credentials = (bytes: number) => {
      const empty = '{"email":"nobody@example.com","password":"a long password","x":""}';
      return empty.replace('""}', `"${'x'.repeat(bytes - empty.length)}"}`);
    };
    const login = (bytes: number) =>
      api.request('POST', '/auth/login', { body: credentials(bytes), headers: JSON_TYPE });
    expectProblem(await login(8 * KIB), 'invalid_credentials');
    expectProblem(await login(8 * KIB + 1), 'body_too_large');
  });

  it('accepts the longest note in any script', async () => {
    const { id: projectId } = (await api.post('/projects', { name: 'Shop' })).body;
    const incident = await api.post('/incidents', { title: 'Down', severity: 'error', projectId });
    const send = (note: string) => api.post(`/incidents/${incident.body.id}/notes`, { note });
    expect((await send('🔥'.repeat(10_000))).status).toBe(201);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd', 'compress', 'x-nonsense', 'gzip, gzip'])(
    'refuses a request body in the coding %j without decompressing it',
    async (coding) => {
      const answer = await post(gzipSync('{"name":'), { 'content-encoding': coding });
      expectProblem(answer, 'unsupported_encoding');
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    },
  );

  it('accepts a request body with the coding identity', async () => {
    expect((await post(sized(100), { 'content-encoding': 'identity' })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
    '',
  ])('refuses a request body of the type %j', async (type) => {
    expectProblem(await post(sized(100), { 'content-type': type }), 'unsupported_media_type');
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.shop+json'])(
    'accepts a request body of the type %j',
    async (type) => {
      expect((await post(sized(100), { 'content-type': type })).status).toBe(201);
    },
  );

  it.each<[string, string | Uint8Array]>([
    ['ends early', '{"name":'],
    ['has a comment', '{"name":"x"} // done'],
    ['has single quotes', "{'name':'x'}"],
    ['is two values', '{"name":"x"}{"name":"y"}'],
    ['is no JSON', 'name=x'],
    ['is white space', '   '],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['holds half a surrogate as bytes', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
    ['is UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ])('refuses a request body that %s as malformed', async (_what, body) => {
    expectProblem(await post(body), 'malformed_json');
  });

  const nested = (depth: number) => `{"name":"x","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  it.each([
    ['is nested 65 levels deep', nested(65)],
    ['is nested 30,000 levels deep', nested(30_000)],
    ['holds 1e400', '{"name":"x","x":1e400}'],
    ['holds -1e400 in depth', '{"name":"x","x":[{"y":-1e400}]}'],
    ['holds a NUL', '{"name":"a\\u0000b"}'],
    ['holds a NUL in a key', '{"name":"x","a\\u0000":1}'],
    ['holds a high surrogate alone', '{"name":"\\ud800"}'],
    ['holds a low surrogate alone', '{"name":"\\udc00\\ud800"}'],
    ['holds a lone surrogate in a key', '{"name":"x","\\ud800":1}'],
  ])('refuses a request body that %s', async (_what, body) => {
    expectProblem(await post(body), 'validation_failed');
  });

  it('accepts a request body nested 64 levels deep', async () => {
    expect((await post(nested(64))).status).toBe(201);
  });

  it('never lets a request body reach a prototype', async () => {
    for (const body of [
      '{"name":"x","__proto__":{"environment":"staging","polluted":true}}',
      '{"name":"x","constructor":{"prototype":{"polluted":true}}}',
    ]) {
      const answer = await post(body);
      expect(answer.status).toBe(201);
      expect(answer.body.environment).toBe('production');
    }
    expectProblem(await post('{"__proto__":{"name":"x"}}'), 'validation_failed');
    expect({}).not.toHaveProperty('polluted');
  });

  it('treats an empty request body as absent, whatever its content type', async () => {
    const user = await service.signUp();
    const answer = await user.api.request('POST', '/auth/logout', { body: '', headers: JSON_TYPE });
    expect(answer.status).toBe(200);
    expectProblem(await post(''), 'validation_failed');
  });
});
