import { readFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import { readRecordings } from '../integrations/clients.ts';
import { createClientProject, withProject } from '../integrations/project.ts';
import { ledgerOf } from '../processing/support.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';
import { waitFor } from '../support/wait.ts';

interface Request {
  client: string;
  path: string;
  headers: Record<string, string>;
  /** Text with one character a byte. */
  body: string;
}

const ALERTS = new URL('../alerts/recorded/alertmanager-0.25.0.json', import.meta.url);
const DEEP: unknown = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`);

/** Length of a field of Protocol Buffers that exceeds any body. */
const FORGED_LENGTH = '\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F';

/** Values that no client sends in the place of another one. */
const VALUES: unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '\0',
  '\uD800',
  '\u0007\u202E',
  '0001-01-01T00:00:00Z',
  '99999-12-31',
  'x'.repeat(20_000),
  [],
  {},
  [null],
  [[]],
  { values: null },
  { values: [null, 1, 'a'] },
  { stringValue: '\0', kvlistValue: {} },
  JSON.parse('{"__proto__":{"type":"x"},"constructor":1,"toString":null}'),
  Array.from({ length: 500 }, (_, lineno) => ({ filename: '\0', lineno, in_app: true })),
  DEEP,
];

const below = (random: Random, bound: number) => Math.floor(random.uniform() * bound);

function pick<Value>(random: Random, values: Value[]): Value {
  const value = values[below(random, values.length)];
  if (value === undefined) throw new Error('The list is empty.');
  return value;
}

/** Puts a hostile value into a random place of a value, or takes the place away. */
function mutate(value: unknown, random: Random): unknown {
  if (!isObject(value) || Object.keys(value).length === 0 || random.uniform() < 0.1)
    return pick(random, VALUES);
  const [key, inner] = pick(random, Object.entries(value));
  const changed = random.uniform() < 0.1 ? undefined : mutate(inner, random);
  return Array.isArray(value) ? value.with(Number(key), changed ?? null) : { ...value, [key]: changed };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Changes a value in one of the lines that are JSON. */
function mutateJson(body: string, random: Random): string {
  const lines = body.split('\n');
  const index = below(random, lines.length);
  try {
    const value: unknown = JSON.parse(Buffer.from(lines[index] ?? '', 'latin1').toString());
    lines[index] = Buffer.from(JSON.stringify(mutate(value, random)) ?? '').toString('latin1');
  } catch {
    // A blank line, or binary.
  }
  return lines.join('\n');
}

/** Changes, repeats or removes some bytes. */
function mutateBytes(body: string, random: Random): string {
  const at = below(random, body.length + 1);
  const end = at + below(random, random.uniform() < 0.2 ? 2_000 : 8);
  const put = pick(random, ['', '\0', '\n', '{}', FORGED_LENGTH, body.slice(at, end).repeat(3)]);
  return body.slice(0, at) + put + body.slice(end);
}

/** Puts another id into an event: a repeat of one would not be stored. */
function withNewId(body: string, random: Random): string {
  const id = Array.from({ length: 32 }, () => below(random, 16).toString(16)).join('');
  return body.replaceAll(/(?<="event_id":\s*")[\da-f-]{32,36}/g, id);
}

/** Sentence of a refusal: the detail of a problem, or the message of a status, also as Protocol Buffers. */
function sentenceOf({ body }: Answer): string {
  return String(body.detail ?? body.message ?? body);
}

describe('requests of other systems that something has damaged', async () => {
  const recordings = await readRecordings();
  const newest = Math.max(...recordings.map(({ recordedAt }) => Date.parse(recordedAt)));
  const alerts = JSON.parse(await readFile(ALERTS, 'utf8')) as { requests: Request[] };
  const service = await startTestService({ clock: new StillClock(newest + 60_000) });
  const user = await service.signUp();
  const project = await createClientProject(user, {});
  const samples: Request[] = [
    ...recordings.flatMap(({ client, requests }) =>
      requests
        // A damaged body at a hook has a wrong signature, and is not read.
        .filter(({ path }) => !/^\/(api\/0|hooks)\//.test(path))
        .map(({ path, headers: { 'content-encoding': encoding, ...headers }, body }) => {
          const bytes = Buffer.from(body, 'base64');
          return { client, path, headers, body: (encoding ? gunzipSync(bytes) : bytes).toString('latin1') };
        }),
    ),
    ...alerts.requests.slice(0, 1).flatMap(({ path, headers, body }) =>
      [path, '/ingest/grafana'].map((address) => ({
        client: address,
        path: address,
        headers: { ...headers, 'x-api-key': project.apiKey },
        body,
      })),
    ),
  ].map(({ client, path, headers, body }) => ({
    client,
    path: withProject(path, project),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, withProject(value, project)]),
    ),
    body: withProject(body, project),
  }));

  it.each([
    ['values of another type', mutateJson, rounds(10, 300)],
    ['other bytes', mutateBytes, rounds(5, 150)],
  ] as const)('answers in words, and stores all that it accepts, for %s', async (_what, change, count) => {
    const random = new Random(drawSeed());
    const api = new ApiClient(service.ingestionUrl);
    for (const { client, path, headers, body } of samples) {
      const bodies = Array.from({ length: count }, () => change(withNewId(body, random), random));
      await Promise.all(
        bodies.map(async (changed) => {
          const answer = await api.post(path, new Uint8Array(Buffer.from(changed, 'latin1')), { headers });
          const told = `${client} sent ${JSON.stringify(changed.slice(0, 3_000))}`;
          // A schedule takes so many check-ins a minute.
          expect([200, 202, 400, 403, 404, 413, 429], told).toContain(answer.status);
          if (answer.status >= 400) expect(sentenceOf(answer), told).toMatch(/[.…]$/);
        }),
      );
    }
    const ledger = await waitFor('all to be stored', async () => {
      const found = await ledgerOf(user, project.id);
      return found.queued === 0 && found;
    });
    expect(ledger).toMatchObject({ dead: 0, stored: ledger.accepted - ledger.duplicate });
    expect(ledger.stored).toBeGreaterThan(samples.length);
  });

  const doors = [...new Map(samples.map((sample) => [sample.path.replace(/\?.*/, ''), sample])).entries()];
  it.each(doors)(
    'answers in words a body whose encoding is another one than it says, at %s',
    async (_path, door) => {
      const bytes = Buffer.from(door.body, 'latin1');
      const packed = gzipSync(bytes);
      for (const [encoding, body] of [
        ['gzip', bytes],
        ['gzip', packed.subarray(0, -9)],
        ['gzip', Buffer.concat([packed, bytes])],
        ['gzip', Buffer.alloc(0)],
        ['gzip', Buffer.concat([packed, packed])],
        ['gzip, gzip', gzipSync(packed)],
        ['br', packed],
        ['deflate', packed],
        ['lzma', bytes],
        ['identity', Buffer.concat([Buffer.from('\uFEFF'), bytes])],
        ['identity', Buffer.from(bytes.toString('latin1'), 'utf16le')],
      ] as const) {
        const headers = { ...door.headers, 'content-encoding': encoding };
        const answer = await new ApiClient(service.ingestionUrl).post(door.path, new Uint8Array(body), {
          headers,
        });
        const told = `${encoding} ${body.toString('latin1', 0, 60)}`;
        expect([200, 202, 400, 413, 415, 429], told).toContain(answer.status);
        if (answer.status >= 400) expect(sentenceOf(answer), told).toMatch(/[.…]$/);
      }
    },
  );

  it.each(doors)(
    'redirects no request to %s, and answers one without a content type in words',
    async (_path, door) => {
      const { 'content-type': _type, ...headers } = door.headers;
      const [path = '', query = ''] = door.path.split('?');
      for (const address of [path, path.replace(/\/?$/, '//'), path.replace('/', '//'), path.toUpperCase()]) {
        const response = await fetch(`${service.ingestionUrl}${address}?${query}`, {
          method: 'POST',
          headers,
          // A stream is sent in chunks, without a length and a type.
          body: new Blob([Buffer.from(door.body, 'latin1')]).stream(),
          duplex: 'half',
          redirect: 'manual',
        });
        const text = await response.text();
        expect([200, 202, 400, 404, 415, 429], `${address} ${text}`).toContain(response.status);
      }
    },
  );
});
