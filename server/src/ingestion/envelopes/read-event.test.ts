import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import type { JsonObject } from '../../platform/json/json-object.ts';
import { toQueuedEvent } from '../event/to-event.ts';
import { readEnvelope } from './read-envelope.ts';
import { readEvent } from './read-event.ts';
import { readItems } from './read-items.ts';
import { readLog } from './read-log.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const TIMES = { receivedAtMs: NOW, sentAtMs: null };
const read = (event: JsonObject) => readEvent(event, TIMES, false);

it('takes the source from the tag, else from the name of the application, of the release or of the platform', () => {
  const event = {
    tags: { service: 'tag' },
    contexts: { app: { app_name: 'app' } },
    release: 'release@1.0',
    platform: 'platform',
    server_name: 'web-1',
  };
  const { tags: _tags, contexts, release, ...rest } = event;
  expect(read(event).source).toBe('tag');
  expect(read({ ...rest, contexts, release }).source).toBe('app');
  expect(read({ ...rest, release }).source).toBe('release');
  expect(read({ ...rest, release: '1.0' }).source).toBe('platform');
  expect(read({ server_name: 'web-1' }).source).toBeNull();
  expect(read({ ...event, tags: [['service', 'pair']] }).source).toBe('pair');
});

it.each<[form: string, event: JsonObject, message: string]>([
  ['a text', { message: 'Paid' }, 'Paid'],
  ['an object', { message: { formatted: 'Paid 5' } }, 'Paid 5'],
  ['an object with a template', { message: { message: 'Paid %s', params: [5] } }, 'Paid 5'],
  ['a log entry', { logentry: { formatted: 'Paid 5', message: 'Paid %s' } }, 'Paid 5'],
  ['a log entry beside a text', { logentry: { message: 'Paid %s', params: [5] }, message: 'Text' }, 'Text'],
  ['an interface', { 'sentry.interfaces.Message': { message: 'Paid {}', params: [5] } }, 'Paid 5'],
  [
    'parameters by name',
    { logentry: { message: 'Paid %(sum)d by {who}', params: { sum: 5, who: 'Ada' } } },
    'Paid 5 by Ada',
  ],
  ['too few parameters', { logentry: { message: '%s of %s', params: [1] } }, '1 of %s'],
  ['a parameter that is no text', { logentry: { message: 'Paid %s', params: [{}] } }, 'Paid %s'],
  ['nothing', {}, ''],
])('reads the message of an event from %s', (_form, event, message) => {
  expect(read(event).message).toBe(message);
});

it('takes the frames of an event without an exception from the thread that crashed, else from the current one', () => {
  const thread = (name: string, fields: object) => ({
    ...fields,
    stacktrace: { frames: [{ filename: `${name}.ts` }] },
  });
  const idle = thread('idle', {});
  const current = thread('current', { current: true });
  const crashed = thread('crashed', { crashed: true });
  const fileOf = (...values: object[]) => read({ message: 'm', threads: { values } }).payload['frames'];
  expect(fileOf(idle, current, crashed)).toMatchObject([{ file: 'crashed.ts' }]);
  expect(fileOf(idle, current)).toMatchObject([{ file: 'current.ts' }]);
  expect(fileOf(idle)).toBeUndefined();
});

it('reads the tags of an event as an object and as pairs', () => {
  const pairs = [['region', 'eu'], ['shard', 7], ['none', null], 'no pair', [1, 'no name']];
  const { payload, correlation } = read({ tags: pairs });
  expect(correlation).toEqual({ region: 'eu', shard: '7' });
  expect(payload['tags']).toEqual({ region: 'eu', shard: 7, none: null });
  expect(read({ tags: { region: 'eu', shard: 7 } }).correlation).toEqual(correlation);
});

it('keeps 32 parts of the fingerprint of an event with 1,024 characters each, and says if it has more', () => {
  const part = 'x'.repeat(1_024);
  const whole = Array.from({ length: 32 }, () => part);
  expect(read({ fingerprint: whole })).toMatchObject({ fingerprint: whole });
  expect(read({ fingerprint: whole }).changed).toBeUndefined();
  for (const fingerprint of [
    [...whole, part],
    [`${part}x`, ...whole.slice(1)],
  ])
    expect(read({ fingerprint })).toMatchObject({ fingerprint: whole, changed: ['fields'] });
});

it('says of an environment of more than 64 characters that it was shortened', () => {
  const name = 'e'.repeat(64);
  expect(read({ environment: ` ${name} ` })).toMatchObject({ environment: name, changed: undefined });
  expect(read({ environment: `${name}x` })).toMatchObject({ environment: name, changed: ['fields'] });
  const record = { attributes: { 'sentry.environment': { value: `${name}x`, type: 'string' } } };
  expect(readLog(record, TIMES)).toMatchObject({ environment: name, changed: ['fields'] });
});

it('stores neither variables nor cookies nor credentials of an event in any column', () => {
  const frames = [
    { filename: 'pay.py', function: 'pay', vars: { password: 'SECRET' }, context_line: 'SECRET' },
  ];
  const credentials = [
    'Authorization',
    'COOKIE',
    'Set-Cookie',
    'proxy-authorization',
    'X-Api-Key',
    'X-Auth-Token',
    'X-CSRFToken',
  ];
  const event = (headers: unknown) => ({
    exception: {
      values: [
        { type: 'Cause', stacktrace: { frames } },
        { type: 'PayError', value: 'Declined', stacktrace: { frames } },
      ],
    },
    stacktrace: { frames },
    threads: { values: [{ crashed: true, stacktrace: { frames } }] },
    request: { url: 'https://shop.example/pay', cookies: { session: 'SECRET' }, headers },
  });
  const pairs = [...credentials.map((name) => [name, 'SECRET'] as const), ['Accept', 'text/html'] as const];
  for (const headers of [pairs, Object.fromEntries(pairs)]) {
    const { payload, ...columns } = toQueuedEvent('project', read(event(headers)), NOW);
    const filtered = Object.fromEntries(credentials.map((name) => [name, '[Filtered]']));
    expect(payload['request']).toEqual({
      url: 'https://shop.example/pay',
      cookies: { session: '[Filtered]' },
      headers: { ...filtered, Accept: 'text/html' },
    });
    expect(JSON.stringify([payload, columns])).not.toContain('SECRET');
  }
});

it('corrects the time of an event by the time of sending in the headers of its envelope', async () => {
  const sentMs = NOW - 2 * HOUR_MS;
  const headers = JSON.stringify({ sent_at: new Date(sentMs).toISOString() });
  const event = JSON.stringify({ message: 'm', timestamp: sentMs / 1_000 - 60 });
  const envelope = readEnvelope(Buffer.from(`${headers}\n{"type":"event"}\n${event}`));
  const observations = [];
  for await (const { readers } of readItems(envelope, NOW).events)
    for (const readOne of readers) observations.push(readOne());
  expect(observations).toMatchObject([
    { capturedAtMs: NOW - MINUTE_MS, changed: ['clock'], payload: { timestamp: sentMs / 1_000 - 60 } },
  ]);
});
