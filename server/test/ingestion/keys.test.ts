import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/tenancy/api-keys/key-format.ts';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { anEvent } from './support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Requests with one error each, which must not be visible without a valid key. */
const REQUESTS: [string, string, unknown, Record<string, string>][] = [
  ['a good body', '/ingest/events', anEvent(), {}],
  ['no body', '/ingest/events', undefined, {}],
  ['a body of the wrong shape', '/ingest/webhook', { source: 1 }, {}],
  ['a body that is no JSON', '/ingest/events', '{', JSON_TYPE],
  ['a body that is no UTF-8', '/ingest/events', new Uint8Array([0xff]), JSON_TYPE],
  ['a wrong content type', '/ingest/payments', 'type=x', { 'content-type': 'text/plain' }],
  ['no content type', '/ingest/server-error', new Uint8Array([1]), {}],
  ['an unknown coding', '/ingest/events', 'x', { ...JSON_TYPE, 'content-encoding': 'compress' }],
  ['a broken coding', '/ingest/events', 'x', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
  ['a body that is too large', '/ingest/events', 'x'.repeat(2_000_000), JSON_TYPE],
  [
    'a body that unpacks to be too large',
    '/ingest/events',
    gzipSync('x'.repeat(2_000_000)),
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
  ],
  ['an empty bulk body', '/ingest/bulk', [], {}],
  ['a bulk body that is no list', '/ingest/bulk', {}, {}],
  ['a bulk body without a good line', '/ingest/bulk', [{}], {}],
  ['a long idempotency key', '/ingest/events', anEvent(), { 'idempotency-key': 'x'.repeat(300) }],
];

describe('an ingestion request is answered 401', async () => {
  const service = await startTestService({ roles: ['ingestion', 'management'] });
  const user = await service.signUp();
  const project = await user.createProject();
  const anonymous = new ApiClient(service.ingestionUrl);

  async function revokedKey(seen: boolean): Promise<string> {
    const { body } = await user.api.post(`/projects/${project.id}/api-keys`);
    if (seen) await anonymous.post('/ingest/events', anEvent(), { headers: { 'x-api-key': body.rawKey } });
    expect((await user.api.delete(`/api-keys/${body.id}`)).status).toBe(204);
    return body.rawKey;
  }

  const keys: [string, () => Promise<string | null> | string | null][] = [
    ['no key', () => null],
    ['an empty key', () => ''],
    ['a key in another form', () => 'a secret'],
    ['a mistyped key', () => `${project.apiKey.slice(0, -1)}${project.apiKey.endsWith('0') ? '1' : '0'}`],
    ['a well-formed key that nobody has', () => generateApiKey().rawKey],
    ['a revoked key', () => revokedKey(false)],
    ['a revoked key that was used before', () => revokedKey(true)],
    ['two keys', () => `${project.apiKey}, ${project.apiKey}`],
  ];

  it.each(keys)('answers 401 to a request with %s, whatever else is wrong', async (_what, makeKey) => {
    for (const [what, path, body, extra] of REQUESTS) {
      const key = await makeKey();
      const headers = { ...extra, ...(key !== null && { 'x-api-key': key }) };
      const answer = await anonymous.post(path, body, { headers });
      expect({ what, status: answer.status }).toEqual({ what, status: 401 });
      expectProblem(answer, 'invalid_api_key');
    }
    const key = await makeKey();
    const headers = { ...(key !== null && { 'x-api-key': key }) };
    expectProblem(await anonymous.get('/ingest/jobs/job_1', { headers }), 'invalid_api_key');
  });

  it('answers 401 to a session in place of a key', async () => {
    const headers = { cookie: user.api.cookie ?? '' };
    expectProblem(await anonymous.post('/ingest/events', anEvent(), { headers }), 'invalid_api_key');
  });
});

describe('a key', async () => {
  const service = await startTestService({ roles: ['ingestion', 'management'] });

  it('shows the last use of a key after a while, without a write for each request', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const path = `/projects/${project.id}/api-keys`;
    expect((await user.api.get(path)).body).toMatchObject([{ name: 'Default', lastUsedAt: null }]);
    const { pool } = service.database;
    await pool.query(
      `CREATE SEQUENCE writes;
        CREATE FUNCTION count_write() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM nextval('writes'); RETURN NULL; END $$;
        CREATE TRIGGER count_write AFTER UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION count_write()`,
    );
    const before = service.context.clock.now();
    for (let count = 0; count < 20; count++) await project.ingest.post('/ingest/events', anEvent());
    // Recorded uses are written every half minute, and at the latest when the process stops.
    await service.stop();
    const { rows } = await pool.query<{ lastUsedAt: Date; writes: number }>(
      'SELECT last_used_at AS "lastUsedAt", (SELECT last_value FROM writes) AS writes FROM api_keys',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.lastUsedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(rows[0]?.writes).toBeLessThan(20);
  });
});
