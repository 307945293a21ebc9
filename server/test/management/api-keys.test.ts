import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const EVENT = { type: 'hello', severity: 'INFO', message: 'Hello' };

describe('an API key', async () => {
  const service = await startTestService({ roles: ['management', 'ingestion'] });
  const second = await startTestService({ roles: ['ingestion'], database: service.database });

  it('shows the raw value of an API key once, when it is created', async () => {
    const { api, createProject } = await service.signUp();
    const { id: projectId } = await createProject();
    const answer = await api.post(`/projects/${projectId}/api-keys`, { name: '  CI ' });
    expect(answer.status).toBe(201);
    const { rawKey, dsn, pingUrl, ...metadata } = answer.body;
    expect(pingUrl).toBeNull();
    expect(metadata).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      name: 'CI',
      prefix: rawKey.slice(0, 14),
      projectId,
      createdAt: TIME,
      madeByToken: null,
      use: 'server',
      origins: [],
    });
    expect(rawKey).toMatch(/^tsn_live_[0-9A-Za-z]{38}$/);
    expect(dsn).toContain(`//${rawKey}@`);
    const list = await api.get(`/projects/${projectId}/api-keys`);
    expect(list.status).toBe(200);
    expect(list.body).toContainEqual({ ...metadata, lastUsedAt: null, restoredAt: null });
    expect(list.body).toHaveLength(2);
    expect(JSON.stringify(list.body)).not.toContain(rawKey.slice(0, 15));
    for (const key of list.body) {
      const fields = [
        'createdAt',
        'id',
        'lastUsedAt',
        'madeByToken',
        'name',
        'origins',
        'prefix',
        'projectId',
        'restoredAt',
        'use',
      ];
      expect(Object.keys(key).toSorted()).toEqual(fields);
    }
  });

  it('creates an API key without a name and without a body', async () => {
    const { api, createProject } = await service.signUp();
    const path = `/projects/${(await createProject()).id}/api-keys`;
    const headers = { 'content-type': 'application/json' };
    for (const answer of [
      await api.post(path, {}),
      await api.post(path),
      await api.request('POST', path, { body: '', headers }),
    ]) {
      expect(answer.status).toBe(201);
      expect(answer.body.name).toMatch(/./);
    }
  });

  it('refuses to create an API key with an invalid name', async () => {
    const { api, createProject } = await service.signUp();
    const path = `/projects/${(await createProject()).id}/api-keys`;
    for (const name of ['', '  ', 'x'.repeat(201), null, 5]) {
      expectInvalid(await api.post(path, { name }), '/name');
    }
  });

  it('stores an API key as a hash only', async () => {
    const { api, createProject } = await service.signUp();
    const { id, apiKey } = await createProject();
    const { rawKey } = (await api.post(`/projects/${id}/api-keys`, { name: 'CI' })).body;
    const { pool } = service.database;
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const { rows } = await pool.query<{ text: string }>(
        `SELECT row_to_json(t)::text AS text FROM "${name}" t`,
      );
      const text = rows.map((row) => row.text).join('\n');
      for (const key of [apiKey, rawKey]) {
        expect(text.includes(key.slice(0, 20)), `a key in ${name}`).toBe(false);
        expect(text.includes(Buffer.from(key).toString('hex')), `a key in hex in ${name}`).toBe(false);
      }
    }
  });

  it('refuses a revoked API key at once in every process, and lists it no more', async () => {
    const { api, createProject } = await service.signUp();
    const { id, apiKey, ingest } = await createProject();
    const there = new ApiClient(second.ingestionUrl, { 'x-api-key': apiKey });
    for (const client of [ingest, there])
      expect((await client.post('/ingest/events', EVENT)).status).toBe(202);

    const [key] = (await api.get(`/projects/${id}/api-keys`)).body;
    expect(await api.delete(`/api-keys/${key.id}`)).toMatchObject({ status: 204, body: '' });
    for (const client of [ingest, there]) {
      expectProblem(await client.post('/ingest/events', EVENT), 'invalid_api_key');
    }
    expect((await api.get(`/projects/${id}/api-keys`)).body).toEqual([]);
    expectProblem(await api.delete(`/api-keys/${key.id}`), 'not_found');
  });

  it('keeps the other keys of a project valid when one is revoked', async () => {
    const { api, createProject } = await service.signUp();
    const { id, ingest } = await createProject();
    const key = (await api.post(`/projects/${id}/api-keys`, { name: 'CI' })).body;
    await api.delete(`/api-keys/${key.id}`);
    expect((await ingest.post('/ingest/events', EVENT)).status).toBe(202);
  });

  it('resolves the API key before the session: a bad key is refused beside a good cookie', async () => {
    const { api, createProject } = await service.signUp();
    const { id, apiKey } = await createProject();
    const [key] = (await api.get(`/projects/${id}/api-keys`)).body;
    const withKey = (value: string) => api.get('/auth/me', { headers: { 'x-api-key': value } });
    expect((await withKey(apiKey)).status).toBe(200);
    const mistyped = apiKey.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const bad of [mistyped, 'nonsense', '', apiKey.toLowerCase(), `${apiKey}, ${apiKey}`]) {
      expectProblem(await withKey(bad), 'invalid_api_key');
    }
    await api.delete(`/api-keys/${key.id}`);
    expectProblem(await withKey(apiKey), 'invalid_api_key');
    expectProblem(await api.post('/auth/login', {}, { headers: { 'x-api-key': apiKey } }), 'invalid_api_key');
  });

  it('refuses an API key at the management API', async () => {
    const { createProject } = await service.signUp();
    const { id, apiKey } = await createProject();
    const client = new ApiClient(service.managementUrl, { 'x-api-key': apiKey });
    for (const path of ['/auth/me', '/projects', `/projects/${id}`, '/events', '/incidents']) {
      expectProblem(await client.get(path), 'unauthenticated');
    }
    expectProblem(await client.delete(`/projects/${id}`), 'unauthenticated');
  });

  it('shows the last use of an API key in time', async () => {
    const own = await startTestService({ roles: ['ingestion'], database: service.database });
    const { api, createProject } = await service.signUp();
    const { id, apiKey } = await createProject();
    await new ApiClient(own.ingestionUrl, { 'x-api-key': apiKey }).post('/ingest/events', EVENT);
    // Written periodically; a process that stops writes the rest.
    await own.stop();
    const lastUsedAt = await waitFor('the use to show', async () => {
      const [key] = (await api.get(`/projects/${id}/api-keys`)).body;
      return key.lastUsedAt as string | null;
    });
    expect(lastUsedAt).toEqual(TIME);
  });
});
