import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { type Door, doorsAt, type Secrets, SIGNING_SECRET, USES } from './doors.ts';
import { anEvent } from './support.ts';

const DAY_MS = 86_400_000;

type Pack = (body: string | Uint8Array) => Uint8Array<ArrayBuffer>;
const CODINGS: [coding: string, pack: Pack][] = [
  ['identity', (body) => new Uint8Array(Buffer.from(body))],
  ['gzip', (body) => new Uint8Array(zlib.gzipSync(body))],
  ['deflate', (body) => new Uint8Array(zlib.deflateSync(body))],
  ['br', (body) => new Uint8Array(zlib.brotliCompressSync(body))],
  // Cut off.
  ['gzip', (body) => new Uint8Array(zlib.gzipSync(body).subarray(0, -9))],
];

/** All that a request can store. */
const TABLES = [
  'queue',
  'claims',
  'ledgers',
  // Requests that are refused after their key was found are counted, seconds later.
  "(SELECT * FROM unstored_items WHERE kind <> 'envelope')",
  'events',
  'schedules',
  'check_ins',
  'releases',
  'named_releases',
  'deploys',
  'incidents',
  'alert_groups',
  'upload_chunks',
  'source_maps',
];

describe('the addresses that take data', async () => {
  const clock = new TestClock();
  const service = await startTestService({ own: true, clock, roles: ['ingestion', 'management'] });
  const [user, stranger] = [await service.signUp(), await service.signUp()];

  async function makeSecrets({ api, organizationId, createProject }: TestUser, projectId?: string) {
    const id = projectId ?? (await createProject()).id;
    const path = `/projects/${id}`;
    const made = async (use: string) => (await api.post(`${path}/api-keys`, { use })).body;
    const [key, browser, pingKey] = [await made('server'), await made('browser'), await made('ping')];
    const slug = `job-${key.id.slice(-8)}`;
    const schedule = (await api.post(`${path}/schedules`, { slug, intervalSeconds: 3_600 })).body;
    const hook = (await api.post(`${path}/hooks`, { kind: 'github', secret: SIGNING_SECRET })).body;
    const token = (await api.post('/tokens', { name: 'CI', scopes: ['releases'], expiresInDays: null })).body;
    const secrets: Secrets = {
      key: key.rawKey,
      browser: browser.rawKey,
      pingKey: pingKey.rawKey,
      pingToken: schedule.pingUrl.replace(/.*\//, ''),
      hook: hook.url.replace(/.*\//, ''),
      token: token.token,
      number: (await api.get(path)).body.number,
      organizationId,
      projectId: id,
    };
    // A key is remembered once it was used.
    const headers = { 'x-api-key': secrets.key };
    await new ApiClient(service.ingestionUrl).post('/ingest/events', anEvent(), { headers });
    const revoke = async () => {
      for (const each of [key, browser, pingKey]) await api.delete(`/api-keys/${each.id}`);
      await api.delete(`${path}/schedules/${schedule.id}`);
      await api.delete(`${path}/hooks/${hook.id}`);
      await api.delete(`/tokens/${token.id}`);
    };
    return { id, secrets, revoke, remove: () => api.delete(path) };
  }

  const valid = await makeSecrets(user);
  const revoked = await makeSecrets(user, valid.id);
  await revoked.revoke();
  const dead = await makeSecrets(user);
  await dead.remove();
  const [sibling, foreign] = [await makeSecrets(user), await makeSecrets(stranger)];
  const tokenOf = async (body: object) =>
    (await user.api.post('/tokens', { name: 'CI', ...body })).body.token;
  const expired = await tokenOf({ scopes: ['releases'], expiresInDays: 1 });
  const reader = await tokenOf({ scopes: ['read'] });
  clock.advance(2 * DAY_MS);
  const doors = doorsAt(clock.now()).map((door) => [door.name, door] as const);

  /** Credentials that do not open a door, each with the names that its request has. */
  function closedTo({ use = 'key', isNamed = false, isForBrowsers = false }: Door) {
    const names = valid.secrets;
    const own = names[use];
    const mistyped = `${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`;
    const others = USES.filter((other) => other !== use && !(isForBrowsers && other === 'browser'));
    return [
      ...(use === 'key' || use === 'token' ? [['none', '', names] as const] : []),
      ['mistyped', mistyped, names] as const,
      ['revoked', revoked.secrets[use], names] as const,
      ...others.map((other) => [`of the use ${other}`, names[other], names] as const),
      ...(use === 'token'
        ? [['expired', expired, names] as const, ['without the scope', reader, names] as const]
        : [['of a deleted project', dead.secrets[use], isNamed ? dead.secrets : names] as const]),
      ...(isNamed ? [['of another tenant', foreign.secrets[use], names] as const] : []),
      ...(isNamed && use === 'key' ? [['of another project', sibling.secrets[use], names] as const] : []),
    ];
  }

  const clientOf = ({ use }: Door) =>
    new ApiClient(use === 'token' ? service.managementUrl : service.ingestionUrl);
  const send = (door: Door, secret: string, names: Secrets, [coding, pack]: (typeof CODINGS)[number]) =>
    clientOf(door).request(door.method ?? 'POST', door.path(secret, names), {
      body: pack(door.body(secret, names)),
      headers: {
        ...door.headers?.(secret),
        ...(coding !== 'identity' && { 'content-encoding': coding }),
      },
    });

  /** Hashes what is stored, of all tenants. */
  async function stored(): Promise<Record<string, string | null>> {
    const hashes = TABLES.map(
      (table) => `(SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${table} AS t) AS "${table}"`,
    );
    const { rows } = await service.database.pool.query(`SELECT ${hashes.join(', ')}`);
    return rows[0];
  }

  /** Status of a refusal: the secret comes first, then the coding, then the organization that an address names. */
  const refusalOf = ({ refusal = 401, use, name }: Door, what: string, coding: string) => {
    if (name === 'the tunnel') return ['identity', 'gzip'].includes(coding) ? refusal : 415;
    if (use !== 'token') return refusal;
    if (what === 'of another tenant') return coding === 'identity' ? 404 : 415;
    return what === 'without the scope' ? 403 : refusal;
  };

  it.each(doors)(
    'refuses, for %s, each secret that is not valid there, in any coding, stores nothing, and answers no secret',
    async (_name, door) => {
      const before = await stored();
      const closed = closedTo(door);
      const answers = await Promise.all(
        closed.flatMap(([what, secret, names]) =>
          CODINGS.map(async (coding) => {
            const { status, headers, body } = await send(door, secret, names, coding);
            const answered = JSON.stringify([...headers, body]);
            const told = [secret, ...USES.map((use) => valid.secrets[use])].filter(Boolean);
            return [what, coding[0], told.some((each) => answered.includes(each)) ? 'told' : status];
          }),
        ),
      );
      expect(answers).toEqual(
        closed.flatMap(([what]) => CODINGS.map(([coding]) => [what, coding, refusalOf(door, what, coding)])),
      );
      expect(await stored()).toEqual(before);
    },
  );

  it('stores nothing of a request that is longer or shorter than it says', async () => {
    const before = await stored();
    const sent = doors.flatMap(([, door]) =>
      [1, -1].map(async (side) => {
        const secret = valid.secrets[door.use ?? 'key'];
        const body = Buffer.from(door.body(secret, valid.secrets));
        // A part of a ping is a ping.
        if (side < 0 && door.coded === 'kept') return;
        const { hostname, port } = new URL(clientOf(door).baseUrl);
        const socket = connect(Number(port), hostname);
        const headers = { host: 'localhost', ...door.headers?.(secret) };
        const lines = Object.entries({ ...headers, 'content-length': side < 0 ? 1 : body.length + 9 })
          .map(([header, value]) => `${header}: ${value}\r\n`)
          .join('');
        const line = `${door.method ?? 'POST'} ${door.path(secret, valid.secrets)} HTTP/1.1\r\n`;
        socket.end(Buffer.concat([Buffer.from(`${line}${lines}\r\n`), body]));
        const [answer] = await Promise.all([text(socket), once(socket, 'close')]);
        expect(answer.slice(0, 12), door.name).toMatch(/^(HTTP\/1.1 4..)?$/);
      }),
    );
    await Promise.all(sent);
    expect(await stored()).toEqual(before);
  });

  it.each(doors)(
    'stores a good request for %s, and compressed ones if it decompresses',
    async (_name, door) => {
      const before = await stored();
      const statuses = [];
      for (const coding of CODINGS) {
        const secret = valid.secrets[door.use ?? 'key'];
        statuses.push((await send(door, secret, valid.secrets, coding)).status);
        if (statuses.length === 1) expect(await stored()).not.toEqual(before);
      }
      const [ok = 0] = statuses;
      expect([200, 201, 202]).toContain(ok);
      const coded = {
        refused: [415, 415, 415, 415],
        gzip: [ok, 415, 415, 400],
        kept: [ok, ok, ok, ok],
        read: [ok, ok, ok, 400],
      };
      expect(statuses.slice(1)).toEqual(coded[door.coded ?? 'read']);
    },
  );
});
