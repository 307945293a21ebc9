import { Type } from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestApp } from '../../../test/support/http-app.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { MAX_UNSENT_BYTES_PER_OWNER } from '../../http/unsent-bytes.ts';
import { ApiError } from '../../platform/errors.ts';
import { createMetrics } from '../../roles/metrics.ts';
import { API_KEY_ERRORS } from '../../tenancy/api-keys/errors.ts';
import { generateApiKey } from '../../tenancy/api-keys/key-format.ts';
import { KeyAuthentication, keyOwnerOf } from './authenticate.ts';
import { KeyLookup } from './key-lookup.ts';

const OWNER = { keyId: 'key', projectId: 'project', organizationId: 'o', projectNumber: 1, browser: null };
const { rawKey, hash } = generateApiKey();

describe('the authentication by key', () => {
  let valid = true;
  let failing = false;
  let asked = 0;
  let app: HttpApp;
  let answerOwners: (string | null)[] = [];

  beforeEach(async () => {
    [valid, failing, asked] = [true, false, 0];
    const metrics = createMetrics();
    app = await createTestApp({ metrics, bodyLimit: 100 });
    answerOwners = [];
    app.addHook('onResponse', async (request) => void answerOwners.push(request.answerOwner));
    const keys = new KeyLookup(async () => {
      asked++;
      if (failing) throw new Error('connection lost');
      return new Map(valid ? [[hash.toString('hex'), OWNER]] : []);
    }, metrics);
    const authentication = new KeyAuthentication(keys);
    await app.register(async (scope) => {
      authentication.install(scope);
      // Commits like a statement that also checks the key.
      const body = Type.Object({ a: Type.Number() });
      scope.post('/commit', { schema: { body } }, (request) => {
        if (!valid) throw new ApiError(API_KEY_ERRORS.invalid_api_key, 'The API key is no longer valid.');
        return keyOwnerOf(request);
      });
      scope.get('/read', async (request) => {
        await authentication.requireValidKey(request);
        return keyOwnerOf(request);
      });
    });
  });

  const commit = (payload: unknown = { a: 1 }, headers = {}) =>
    app.inject({
      method: 'POST',
      url: '/commit',
      headers: { 'x-api-key': rawKey, 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
  const read = (headers: Record<string, string> = { 'x-api-key': rawKey }) =>
    app.inject({ method: 'GET', url: '/read', headers });

  it('looks up a key in the database at its first use', async () => {
    expect((await commit()).json()).toEqual(OWNER);
    expect(asked).toBe(1);
  });

  it('leaves the validity of a key with a known owner to the commit', async () => {
    await commit();
    expect((await commit()).json()).toEqual(OWNER);
    expect(asked).toBe(1);
    valid = false;
    expect((await commit()).statusCode).toBe(401);
  });

  it('asks for each request that ends without a commit', async () => {
    for (let count = 1; count <= 3; count++) {
      expect((await read()).statusCode).toBe(200);
    }
    // The first key was looked up only once.
    expect(asked).toBe(3);
    valid = false;
    expect((await read()).statusCode).toBe(401);
  });

  it.each<[string, () => ReturnType<typeof commit>, number]>([
    ['a body of the wrong shape', () => commit({ a: 'x' }), 400],
    ['a body that is no JSON', () => commit('{'), 400],
    ['a body that is too large', () => commit({ a: 1, b: 'x'.repeat(200) }), 413],
    ['a body of the wrong type', () => commit('a', { 'content-type': 'text/plain' }), 415],
    ['an unknown coding', () => commit('a', { 'content-encoding': 'compress' }), 415],
  ])('answers 401 rather than tell of %s, once the key is revoked', async (_what, send, status) => {
    await commit();
    expect((await send()).statusCode).toBe(status);
    valid = false;
    expect((await send()).json()).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('answers 401 without a key, and with a text that is none', async () => {
    expect((await read({})).json()).toMatchObject({
      status: 401,
      detail: expect.stringContaining('X-Api-Key'),
    });
    expect((await read({ 'x-api-key': 'nonsense' })).statusCode).toBe(401);
    expect((await read({ 'x-api-key': '' })).statusCode).toBe(401);
  });

  it('counts unread answers by project, and refuses its requests while too many wait, once the key is valid', async () => {
    await read();
    await commit();
    expect(answerOwners).toEqual([OWNER.projectId, OWNER.projectId]);
    const end = app.unsentBytes.add(OWNER.projectId, MAX_UNSENT_BYTES_PER_OWNER + 1);
    expect((await commit()).json()).toMatchObject({ status: 503, code: 'unavailable' });
    valid = false;
    expect((await commit()).statusCode).toBe(401);
    valid = true;
    end();
    expect((await commit()).statusCode).toBe(200);
  });

  it('forgets the owner of a key that was refused', async () => {
    await commit();
    valid = false;
    expect((await commit()).statusCode).toBe(401);
    const before = asked;
    expect((await commit()).statusCode).toBe(401);
    expect(asked).toBe(before + 1);
  });

  it('answers 503, not 401, where the database does not answer', async () => {
    failing = true;
    const answer = await read();
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
    failing = false;
    expect((await read()).statusCode).toBe(200);
  });
});
