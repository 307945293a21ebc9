import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';

describe('the log at its most talkative', async () => {
  const lines: string[] = [];
  const service = await startTestService({
    environment: { LOG_LEVEL: 'trace' },
    logDestination: { write: (line) => lines.push(line) },
  });
  const event = { type: 'hello', severity: 'INFO', message: 'Hello' };

  it('logs no password, cookie or key at any level, whatever succeeds or fails', async () => {
    const user = await service.signUp();
    const { id, apiKey, ingest } = await user.createProject();
    const { rawKey } = (await user.api.post(`/projects/${id}/api-keys`, { name: 'CI' })).body;
    const stranger = new ApiClient(service.managementUrl);
    const { token } = (await user.api.post('/tokens', { name: 'CI', scopes: ['read'] })).body;
    const secrets = [user.password, apiKey, rawKey, token, user.api.cookie?.replace('session=', '') ?? ''];

    await ingest.post('/ingest/events', event);
    await ingest.post('/ingest/events', { ...event, severity: 'none' });
    await stranger.get('/auth/me', { headers: { cookie: `${user.api.cookie}x`, 'x-api-key': `${apiKey}x` } });
    for (const authorization of [`Bearer ${token}`, `Bearer ${token}x`, token])
      await stranger.post('/projects', { name: token }, { headers: { authorization } });
    for (const password of ['a wrong password', user.password]) {
      secrets.push(password);
      await stranger.post('/auth/login', { email: user.email, password });
      await stranger.post('/auth/signup', { name: 'x', email: user.email, password });
      await stranger.post('/auth/signup', { name: '', email: 'x', password });
      await stranger.request('POST', '/auth/login', {
        body: `{"password":"${password}"`,
        headers: { 'content-type': 'application/json' },
      });
    }
    await stranger.get(`/%zz?password=${encodeURIComponent(user.password)}`);
    const { socket, closed } = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    socket.send(`{"apiKey":"${apiKey}"}`);
    secrets.push('a new password of mine');
    await user.api.post('/auth/password', { current: user.password, new: 'a new password of mine' });
    await user.api.post('/auth/logout');
    await closed;
    await service.settled();

    expect(lines.length).toBeGreaterThan(10);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10);
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    }
    expect(lines.filter((line) => /tsn_live_|tsn_pat_|\$argon2|eyJ/.test(line))).toEqual([]);
  });

  it('logs a failure under the request id of the answer, which reveals no internals', async () => {
    const user = await service.signUp();
    const { ingest, id, apiKey } = await user.createProject();
    const { pool } = service.database;
    lines.length = 0;
    await pool.query('ALTER TABLE api_keys RENAME COLUMN hash TO hash_away');
    await pool.query('ALTER TABLE users RENAME COLUMN password_hash TO password_away');
    const body = { name: 'Ada', email: 'ada@example.com', password: 'the secret of Ada' };
    const answers = [
      await new ApiClient(service.managementUrl).post('/auth/signup', body),
      await new ApiClient(service.managementUrl).post('/auth/login', body),
      await user.api.post(`/projects/${id}/api-keys`, { name: 'CI' }),
      await user.api.get('/auth/me', { headers: { 'x-api-key': apiKey } }),
    ];
    const ingested = await ingest.post('/ingest/events', event);
    await pool.query('ALTER TABLE api_keys RENAME COLUMN hash_away TO hash');
    await pool.query('ALTER TABLE users RENAME COLUMN password_away TO password_hash');

    expect(ingested.status).toBeGreaterThanOrEqual(500);
    for (const answer of answers) {
      expectProblem(answer, 'internal');
      expect(JSON.stringify(answer.body)).not.toMatch(/password_hash|column|hash/);
      expect(lines.filter((line) => line.includes(answer.body.requestId))).not.toEqual([]);
    }
    const text = lines.join('');
    for (const secret of [body.password, apiKey, user.api.cookie ?? '', '$argon2']) {
      expect(text).not.toContain(secret);
    }
  });
});
