import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../server/test/support/test-length.ts';
import { Client } from '../src/client.ts';
import { API_KEY, event, startClient } from './support/client.ts';
import { startIngestion } from './support/fake-ingestion.ts';
import { VirtualTime } from './support/virtual-time.ts';

const FIELDS = ['type', 'severity', 'message', 'source', 'release', 'capturedAt', 'payload', 'correlation'];

/** The ingestion behind these tests is as strict as the true one: what it answers with 400 is lost. */
describe('whatever it is given', () => {
  const cyclic: Record<string, unknown> = { name: 'loop' };
  cyclic['self'] = cyclic;
  const fail = () => {
    throw new Error('hostile');
  };
  const hostile = new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail });
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => ({ inner }), 'bottom');
  const endless = { toJSON: () => ({ ...endless }) };
  const oddities: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a string', 'thrown'],
    ['an empty string', ''],
    ['a BigInt', 10n ** 30n],
    ['a symbol', Symbol('s')],
    ['a function', () => {}],
    ['NaN', Number.NaN],
    ['a cycle', cyclic],
    ['throwing getters', Object.defineProperties({}, { message: { get: fail }, type: { get: fail } })],
    ['a hostile proxy', hostile],
    ['a revoked proxy', revoked],
    ['a text of 5 MB', 'x'.repeat(5_000_000)],
    ['a text of 5 MB of emoji', '🔥'.repeat(1_250_000)],
    ['control characters only', '\u0001'.repeat(100_000)],
    ['NULs and lone surrogates', '\0\ud800a\udc00\0'],
    ['an endless array', Object.assign([], { length: 4_000_000_000 })],
    ['100,000 levels', deep],
    ['no prototype', Object.create(null)],
    ['a toString that throws', { toString: fail }],
    ['a toJSON that throws', { toJSON: fail }],
    ['a toJSON without end', endless],
    ['__proto__ as a key', JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":1}}')],
    ['bytes', new Uint8Array(3_000_000)],
    [
      'a Map',
      new Map<unknown, unknown>([
        ['a', 1n],
        [hostile, 2],
      ]),
    ],
    ['an invalid date', new Date(Number.NaN)],
    ['an error with a message of 5 MB', new Error('m'.repeat(5_000_000))],
  ];

  it.each(oddities)('delivers an event with %s in any field', async (_, oddity) => {
    const { client } = await startClient();
    const context = { status_code: oddity, path: oddity, method: oddity, correlation: oddity };
    const calls = [
      client.capture(oddity),
      ...FIELDS.map((field) => client.capture(event({ [field]: oddity }))),
      client.capture(event({ payload: { nested: [oddity] }, correlation: { nested: oddity } })),
      client.captureError(oddity, oddity),
      client.captureError(oddity, context),
      client.captureError({ name: oddity, message: oddity, stack: oddity, cause: oddity }, undefined),
    ];
    expect(await Promise.all(calls)).not.toContain(null);
  });

  it('delivers any event and any error, within all limits of the server', async () => {
    const { baseUrl } = await startIngestion();
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withObjectString: true,
      withSparseArray: true,
      withTypedArray: true,
      stringUnit: 'binary',
    });
    const longText = fc
      .tuple(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(40_000))
      .map(([text, times]) => text.repeat(times));
    const field = fc.oneof(anything, longText);
    const recordOf = (names: string[], more: Record<string, fc.Arbitrary<unknown>> = {}) =>
      fc.record({ ...Object.fromEntries(names.map((name) => [name, field])), ...more }, { requiredKeys: [] });
    const correlation = fc.oneof(field, fc.dictionary(longText, field, { minKeys: 20, maxKeys: 50 }));
    const capture = recordOf(FIELDS, { correlation });
    const error = recordOf(['name', 'message', 'stack', 'cause']);
    const context = recordOf(['status_code', 'path', 'method', 'correlation']);

    await fc.assert(
      fc.asyncProperty(capture, error, context, async (options, thrown, request) => {
        const client = new Client({ apiKey: API_KEY, baseUrl }, new VirtualTime().runtime);
        expect(await client.capture(options)).not.toBeNull();
        expect(await client.captureError(thrown, request)).not.toBeNull();
      }),
      { numRuns: rounds(25, 75) },
    );
  });

  it('constructs a client from any options, whose calls resolve', async () => {
    const fetch = () => Promise.reject(new Error('offline'));
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (options, baseUrl) => {
        for (const given of [options, { apiKey: 'k', baseUrl, timeoutMs: options, maxRetries: options }]) {
          const client = new Client(given, new VirtualTime({ fetch }).runtime);
          expect(await client.capture(options)).toBeNull();
          await client.close();
        }
      }),
      { numRuns: rounds(40, 100) },
    );
  });
});
