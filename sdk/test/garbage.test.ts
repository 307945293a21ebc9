import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../server/test/support/test-length.ts';
import { Client } from '../src/client.ts';
import { API_KEY, event, startClient } from './support/client.ts';
import { startIngestion } from './support/fake-ingestion.ts';
import { VirtualTime } from './support/virtual-time.ts';

/** The ingestion behind these tests is as strict as the true one: what it answers with 400 is lost. */
describe('whatever it is given', () => {
  const cyclic: Record<string, unknown> = { name: 'loop' };
  cyclic['self'] = cyclic;
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('get');
      },
      ownKeys: () => {
        throw new Error('ownKeys');
      },
      getPrototypeOf: () => {
        throw new Error('getPrototypeOf');
      },
    },
  );
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
    [
      'throwing getters',
      {
        get message() {
          throw new Error('getter');
        },
        get type() {
          throw new Error('getter');
        },
      },
    ],
    ['a hostile proxy', hostile],
    ['a revoked proxy', revoked],
    ['a text of 5 MB', 'x'.repeat(5_000_000)],
    ['a text of 5 MB of emoji', '🔥'.repeat(1_250_000)],
    ['control characters only', '\u0001'.repeat(100_000)],
    ['NULs and lone surrogates', '\0\ud800a\udc00\0'],
    ['an endless array', Object.assign([], { length: 4_000_000_000 })],
    ['100,000 levels', deep],
    ['no prototype', Object.create(null)],
    [
      'a toString that throws',
      {
        toString() {
          throw new Error('toString');
        },
      },
    ],
    [
      'a toJSON that throws',
      {
        toJSON() {
          throw new Error('toJSON');
        },
      },
    ],
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

  it.each(oddities)('delivers %s in every place', async (_, oddity) => {
    const { client } = await startClient();
    const fields = [
      'type',
      'severity',
      'message',
      'source',
      'release',
      'capturedAt',
      'payload',
      'correlation',
    ];
    const context = { status_code: oddity, path: oddity, method: oddity, correlation: oddity };
    const calls = [
      client.capture(oddity),
      ...fields.map((field) => client.capture(event({ [field]: oddity }))),
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
    const capture = fc.record(
      {
        type: field,
        severity: field,
        message: field,
        source: field,
        release: field,
        capturedAt: field,
        payload: field,
        correlation: fc.oneof(field, fc.dictionary(longText, field, { minKeys: 20, maxKeys: 50 })),
      },
      { requiredKeys: [] },
    );
    const error = fc.record(
      { name: field, message: field, stack: field, cause: field },
      { requiredKeys: [] },
    );
    const context = fc.record(
      { status_code: field, path: field, method: field, correlation: field },
      { requiredKeys: [] },
    );

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
