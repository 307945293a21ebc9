import { describe, expect, it } from 'vitest';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { anEvent, storedEvent } from './support.ts';

const MIB = 1024 * 1024;

describe('the limits of an event', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { ingest } = await user.createProject();
  const send = (changes: Record<string, unknown>) => ingest.post('/ingest/events', anEvent(changes));
  const correlation = (keys: number) =>
    Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key${index}`, index]));

  // A fire is one character and two UTF-16 units.
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['type', { type: '🔥'.repeat(128) }, { type: '🔥'.repeat(129) }, '/type'],
    ['type', { type: 'a' }, { type: '' }, '/type'],
    ['source', { source: '🔥'.repeat(256) }, { source: 'a'.repeat(257) }, '/source'],
    ['message', { message: '🔥'.repeat(32_768) }, { message: 'a'.repeat(32_769) }, '/message'],
    ['release', { release: '🔥'.repeat(128) }, { release: 'a'.repeat(129) }, '/release'],
    ['environment', { environment: '🔥'.repeat(64) }, { environment: 'a'.repeat(65) }, '/environment'],
    ['correlation', { correlation: correlation(32) }, { correlation: correlation(33) }, '/correlation'],
    [
      'correlation',
      { correlation: { a: '🔥'.repeat(256) } },
      { correlation: { a: 'b'.repeat(257) } },
      '/correlation/a',
    ],
    [
      'correlation',
      { correlation: { ['🔥'.repeat(256)]: 'a' } },
      { correlation: { ['b'.repeat(257)]: 'a' } },
      '/correlation',
    ],
  ])(
    'accepts a %s of the maximum length unchanged, and refuses a longer one',
    async (field, fitting, over, pointer) => {
      const stored = await storedEvent(user, await send(fitting));
      expect(stored[field]).toEqual(fitting[field]);
      expectInvalid(await send(over), pointer);
    },
  );

  it.each<[string, Record<string, unknown>, string]>([
    ['no type', { type: undefined }, '/type'],
    ['no severity', { severity: undefined }, '/severity'],
    ['no message', { message: undefined }, '/message'],
    ['a type that is a number', { type: 5 }, '/type'],
    ['a message that is null', { message: null }, '/message'],
    ['a source that is null', { source: null }, '/source'],
    ['a payload that is a list', { payload: [] }, '/payload'],
    ['a payload that is a text', { payload: '{}' }, '/payload'],
    ['a correlation that is a list', { correlation: ['a'] }, '/correlation'],
    ['a correlation that is nested', { correlation: { a: {} } }, '/correlation/a'],
    ['severity in lower case', { severity: 'info' }, '/severity'],
    ['severity in mixed case', { severity: 'Error' }, '/severity'],
    ['an unknown severity', { severity: 'FATAL' }, '/severity'],
    ['severity with a space', { severity: 'INFO ' }, '/severity'],
  ])('refuses an event with %s', async (_what, changes, pointer) => {
    expectInvalid(await send(changes), pointer);
  });

  it.each<[string, string, unknown, string]>([
    ['/ingest/server-error', 'no path', { status_code: 500, method: 'GET', error_message: 'x' }, '/path'],
    ['/ingest/server-error', 'no method', { status_code: 500, path: '/', error_message: 'x' }, '/method'],
    ['/ingest/server-error', 'no message', { status_code: 500, path: '/', method: 'GET' }, '/error_message'],
    [
      '/ingest/server-error',
      'a status code that is a text',
      { status_code: '500', path: '/', method: 'GET', error_message: 'x' },
      '/status_code',
    ],
    ['/ingest/webhook', 'no event', { source: 's', payload: {} }, '/event'],
    ['/ingest/webhook', 'no payload', { source: 's', event: 'e' }, '/payload'],
    ['/ingest/webhook', 'no source', { event: 'e', payload: {} }, '/source'],
    [
      '/ingest/webhook',
      'severity in lower case',
      { source: 's', event: 'e', payload: {}, severity: 'info' },
      '/severity',
    ],
    ['/ingest/payments', 'no type', { data: {} }, '/type'],
    ['/ingest/payments', 'no data', { type: 't' }, '/data'],
    ['/ingest/payments', 'an id that is a number', { type: 't', data: {}, id: 5 }, '/id'],
  ])('refuses at %s a body with %s', async (path, _what, body, pointer) => {
    expectInvalid(await ingest.post(path, body), pointer);
  });

  it('accepts a body of 1 MiB with a payload that is almost all of it, and no byte more', async () => {
    const frame = JSON.stringify(anEvent({ payload: { text: '' } })).length;
    const text = 'x'.repeat(MIB - frame);
    const stored = await storedEvent(user, await send({ payload: { text } }));
    expect(stored.payload.text === text).toBe(true);
    expectProblem(await send({ payload: { text: `${text}x` } }), 'body_too_large');
  });

  it('accepts JSON of 64 levels, and no deeper', async () => {
    const levels = (count: number): unknown => (count === 0 ? 'end' : { down: levels(count - 1) });
    const stored = await storedEvent(user, await send({ payload: levels(63) }));
    expect(stored.payload).toEqual(levels(63));
    expectProblem(await send({ payload: levels(64) }), 'validation_failed');
    expectProblem(await send({ unknown: levels(64) }), 'validation_failed');
  });

  it('accepts a body of 50,000 values, and no more', async () => {
    // The event, its three texts, the payload and the list are values, too.
    const list = (values: number) => ({ payload: { list: Array.from({ length: values - 6 }, () => ({})) } });
    const stored = await storedEvent(user, await send(list(50_000)));
    expect(stored.payload.list).toHaveLength(49_994);
    expectProblem(await send(list(50_001)), 'validation_failed');
  });
});
