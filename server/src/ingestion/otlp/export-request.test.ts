import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeObservations } from '../intake/accept.ts';
import { MAX_REQUEST_CHARACTERS } from '../intake/limits.ts';
import { NO_ITEMS, type OtlpFormat, parseRequest, readObservations } from './export-request.ts';
import { LOGS, type Signal, TRACES } from './messages.ts';
import { encodeMessage } from './testing.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const nanos = (milliseconds: number) => `${milliseconds}000000`;
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const RESOURCE = {
  attributes: [
    text('service.name', 'checkout'),
    text('service.version', '1.4.2'),
    text('service.instance.id', 'pod-7f9c'),
    text('k8s.pod.name', 'checkout-7f9c'),
    text('deployment.environment.name', 'Prod'),
  ],
};

/** Request of one scope with these items. */
function requestOf(
  signal: Signal,
  items: unknown[],
  resource: object = RESOURCE,
  scope: object = { name: 'lib' },
) {
  return { [signal.resources]: [{ resource, [signal.scopes]: [{ scope, [signal.items]: items }] }] };
}

function encode(signal: Signal, request: object, format: OtlpFormat): Buffer {
  if (format === 'json') return Buffer.from(JSON.stringify(request));
  const packed = structuredClone(request) as Record<string, Record<string, Record<string, unknown[]>[]>[]>;
  for (const resource of packed[signal.resources] ?? [])
    for (const scope of resource[signal.scopes] ?? [])
      scope[signal.items] = (scope[signal.items] ?? []).map((item) =>
        encodeMessage(item as object, signal.item),
      );
  return encodeMessage(packed, signal.request);
}

function read(signal: Signal, request: object, format: OtlpFormat = 'json') {
  const counts = { ...NO_ITEMS };
  const parsed = parseRequest(encode(signal, request, format), format, signal);
  return { observations: [...readObservations(parsed, signal, NOW, counts)], counts };
}

function readLog(record: object, resource?: object, scope?: object) {
  const { observations } = read(LOGS, requestOf(LOGS, [record], resource, scope));
  const [observation] = observations;
  if (!observation) throw new Error('The record led to no observation.');
  return observation;
}

const RECORD = {
  timeUnixNano: nanos(NOW - 1_234),
  severityNumber: 17,
  severityText: 'ERROR',
  body: { stringValue: 'Card was declined' },
  attributes: [
    text('order_id', 'ord_1'),
    text('user.id', 'usr_1'),
    { key: 'attempt', value: { intValue: 2 } },
    { key: 'tags', value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } } },
    { key: 'cart', value: { kvlistValue: { values: [{ key: 'total', value: { doubleValue: 9.5 } }] } } },
  ],
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
};

describe('a log record', () => {
  it.each(['json', 'protobuf'] as const)(
    'reads a log record from %s as an event with its fields',
    (format) => {
      const { observations, counts } = read(LOGS, requestOf(LOGS, [RECORD]), format);
      expect(observations).toEqual([
        {
          type: 'log',
          severity: 'error',
          source: 'checkout',
          message: 'Card was declined',
          release: '1.4.2',
          environment: 'Prod',
          capturedAtMs: NOW - 1_234,
          stack: null,
          correlation: { order_id: 'ord_1', user_id: 'usr_1', trace_id: RECORD.traceId },
          payload: {
            severityText: 'ERROR',
            attributes: {
              order_id: 'ord_1',
              'user.id': 'usr_1',
              attempt: 2,
              tags: ['a', true],
              cart: { total: 9.5 },
            },
            resource: {
              'service.name': 'checkout',
              'service.version': '1.4.2',
              'service.instance.id': 'pod-7f9c',
              'k8s.pod.name': 'checkout-7f9c',
              'deployment.environment.name': 'Prod',
            },
            scope: { name: 'lib' },
            traceId: RECORD.traceId,
            spanId: RECORD.spanId,
          },
        },
      ]);
      expect(counts).toEqual({ ...NO_ITEMS, items: 1, events: 1, hasTime: true });
    },
  );

  it.each([
    [{ severityNumber: 1 }, 'info'],
    [{ severityNumber: 12 }, 'info'],
    [{ severityNumber: 13 }, 'warn'],
    [{ severityNumber: 16 }, 'warn'],
    [{ severityNumber: 20 }, 'error'],
    [{ severityNumber: 21 }, 'critical'],
    [{ severityNumber: '17' }, 'error'],
    [{ severityNumber: 'SEVERITY_NUMBER_WARN2' }, 'warn'],
    [{ severityNumber: 0, severityText: 'Warning' }, 'warn'],
    [{ severityText: 'fatal' }, 'critical'],
    [{ severityText: 'err' }, 'error'],
    [{ severityNumber: 99, severityText: 'notice' }, 'info'],
    [{}, 'info'],
  ])('gives a log record with %o the severity %s', (fields, severity) => {
    expect(readLog(fields).severity).toBe(severity);
  });

  it.each([
    [{ boolValue: false }, 'false'],
    [{ intValue: '9007199254740993' }, '9007199254740993'],
    [{ doubleValue: 0.25 }, '0.25'],
    [{ kvlistValue: { values: [text('a', 'b')] } }, '{"a":"b"}'],
    [{ arrayValue: { values: [{ intValue: 1 }, {}] } }, '[1,null]'],
    [undefined, ''],
    [{ stringValue: '' }, ''],
  ])('gives a log record with the body %o the message %s', (body, message) => {
    expect(readLog({ body }).message).toBe(message);
  });

  it('keeps the body of a log record that is no text in the payload', () => {
    const body = { kvlistValue: { values: [text('a', 'b')] } };
    expect(readLog({ body }).payload).toMatchObject({ body: { a: 'b' } });
  });

  it('names a log record by its exception, else by its event, and keeps the exception’s stack and message', () => {
    const stack = 'TypeError: x is undefined\n    at pay (/app/pay.js:10:5)';
    const attributes = [
      text('exception.type', 'TypeError'),
      text('exception.message', 'x is undefined'),
      text('exception.stacktrace', stack),
    ];
    expect(readLog({ attributes, eventName: 'crash' })).toMatchObject({
      type: 'TypeError',
      message: 'x is undefined',
      stack,
      payload: { stack, frames: [{ file: '/app/pay.js', line: 10 }], eventName: 'crash' },
    });
    expect(readLog({ attributes }).payload.attributes).not.toHaveProperty(['exception.stacktrace']);
    expect(readLog({ eventName: 'order.paid' }).type).toBe('order.paid');
  });

  it('reads the object that pino makes of an error as an exception', () => {
    const fields = [
      text('type', 'TypeError'),
      text('message', 'no card'),
      text('stack', 'TypeError: no card'),
    ];
    const err = { key: 'err', value: { kvlistValue: { values: fields } } };
    expect(readLog({ attributes: [err] })).toMatchObject({
      type: 'TypeError',
      message: 'no card',
      stack: 'TypeError: no card',
    });
  });

  it('uses the scope as the source of a log record whose service has no name, and never an instance', () => {
    const unnamed = {
      attributes: [text('service.name', 'unknown_service:node'), text('k8s.pod.name', 'pod-1')],
    };
    expect(readLog({}, unnamed).source).toBe('lib');
    expect(readLog({}, unnamed, {}).source).toBeNull();
  });

  it('uses the time of observation of a log record without a time of its own, and none for zero', () => {
    const observedTimeUnixNano = nanos(NOW - 5);
    expect(readLog({ timeUnixNano: '0', observedTimeUnixNano }).capturedAtMs).toBe(NOW - 5);
    expect(readLog({ timeUnixNano: 0 }).capturedAtMs).toBeUndefined();
    expect(read(LOGS, requestOf(LOGS, [{ timeUnixNano: 0 }])).counts.hasTime).toBe(false);
  });

  it('reads a time in nanoseconds to the millisecond, from digits and from numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: NOW - 86_400_000, max: NOW }), (timeMs) => {
        expect(readLog({ timeUnixNano: nanos(timeMs) }).capturedAtMs).toBe(timeMs);
        expect(readLog({ timeUnixNano: Number(nanos(timeMs)) }).capturedAtMs).toBe(timeMs);
      }),
    );
  });

  it.each([
    [NOW - 30 * 86_400_000, NOW - 7 * 86_400_000],
    [NOW + 3_600_000, NOW],
  ])('moves a log record of the time %i to %i, and says so', (sentMs, capturedAtMs) => {
    expect(readLog({ timeUnixNano: nanos(sentMs) })).toMatchObject({
      capturedAtMs,
      changed: ['clock'],
      payload: { timestamp: new Date(sentMs).toISOString() },
    });
  });

  it('correlates a log record by no span and by no long value', () => {
    const attributes = [text('span_id', 'a'), text('parent_id', 'b'), text('cart_id', 'c'.repeat(257))];
    expect(readLog({ attributes }).correlation).toEqual({});
  });

  it('says of a log record which ids it does not correlate for their length or number', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => text(`a${index}_id`, 'a'));
    expect(readLog({ attributes: ids(32) }).changed).toBeUndefined();
    for (const attributes of [
      ids(33),
      [text('cart_id', 'c'.repeat(257))],
      [text('user.id', 'u'.repeat(257))],
    ])
      expect(readLog({ attributes }).changed).toEqual(['fields']);
    expect(readLog({ attributes: ids(33) }).correlation).toEqual(
      readLog({ attributes: ids(32) }).correlation,
    );
    expect(readLog({ traceId: 't'.repeat(257) })).toMatchObject({ correlation: {}, changed: ['fields'] });
  });

  it('says that fields of a log record were cut where they exceed the limits of an event', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => text(`key ${index}`, 'value'));
    for (const record of [
      { body: { stringValue: 'x'.repeat(40_000) } },
      { eventName: 'e'.repeat(129) },
      { attributes: many },
      { attributes: [text('long', 'x'.repeat(200_000))] },
      { attributes: [text('exception.stacktrace', 'x'.repeat(200_000))] },
      { body: { stringValue: 'NUL \0 and lone \ud800' } },
    ]) {
      const observation = readLog(record);
      expect(observation.changed).toEqual(['fields']);
      expect(JSON.stringify(observation).length).toBeLessThan(400_000);
    }
    expect(readLog({ body: { stringValue: 'NUL \0 and lone \ud800' } }).message).toBe(
      'NUL \ufffd and lone \ufffd',
    );
    expect(readLog(RECORD)).not.toHaveProperty('changed');
  });

  it('keeps attributes whose keys have a meaning in JavaScript', () => {
    const { payload } = readLog({ attributes: [text('__proto__', 'a'), text('constructor', 'b')] });
    expect(Object.entries(payload.attributes as object)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});

describe('a span', () => {
  const exception = {
    name: 'exception',
    timeUnixNano: nanos(NOW - 10),
    attributes: [
      text('exception.type', 'TypeError'),
      text('exception.message', 'x is undefined'),
      text('exception.stacktrace', 'TypeError: x is undefined\n    at pay (/app/pay.js:10:5)'),
    ],
  };
  const span = {
    traceId: RECORD.traceId,
    spanId: RECORD.spanId,
    name: 'POST /pay',
    kind: 2,
    attributes: [text('http.route', '/pay'), { key: 'http.response.status_code', value: { intValue: 500 } }],
    events: [{ name: 'retry', attributes: [] }, exception],
  };

  it.each(['json', 'protobuf'] as const)('makes an event of each exception of a span in %s', (format) => {
    const { observations, counts } = read(TRACES, requestOf(TRACES, [{ name: 'quiet' }, span]), format);
    expect(observations).toEqual([
      expect.objectContaining({
        type: 'TypeError',
        severity: 'error',
        source: 'checkout',
        message: 'x is undefined',
        capturedAtMs: NOW - 10,
        correlation: { trace_id: RECORD.traceId },
      }),
    ]);
    expect(observations[0]?.payload).toMatchObject({
      span: {
        name: 'POST /pay',
        kind: 'server',
        attributes: { 'http.route': '/pay', 'http.response.status_code': 500 },
      },
      frames: [{ file: '/app/pay.js' }],
    });
    expect(counts).toMatchObject({ items: 2, events: 1 });
  });

  it('makes the same kind of event of a log record and a span with the same exception', async () => {
    const { fingerprint } = await import('../event/fingerprint.ts');
    const [ofSpan] = read(TRACES, requestOf(TRACES, [span])).observations;
    const ofLog = readLog({ body: { stringValue: 'Payment failed' }, attributes: exception.attributes });
    expect(ofSpan && fingerprint(ofSpan)).toBe(fingerprint(ofLog));
  });
});

describe('an export', () => {
  it('rejects items beyond the maximum and those that are none, and counts both', () => {
    const items = Array.from({ length: 10_003 }, () => ({}));
    expect(read(LOGS, requestOf(LOGS, items)).counts).toMatchObject({
      items: 10_003,
      events: 10_000,
      beyond: 3,
    });
    const { counts } = read(LOGS, requestOf(LOGS, [null, 5, 'text', [], RECORD]));
    expect(counts).toMatchObject({ events: 1, unreadable: 4 });
  });

  it('rejects a binary item that is malformed, and reads the others', () => {
    const request = requestOf(LOGS, []);
    const packed = encode(LOGS, request, 'protobuf');
    expect(packed.length).toBeGreaterThan(0);
    const scope = {
      scope: { name: 'lib' },
      logRecords: [Buffer.from([255]), encodeMessage(RECORD, LOGS.item)],
    };
    const body = encodeMessage({ resourceLogs: [{ resource: RESOURCE, scopeLogs: [scope] }] }, LOGS.request);
    const counts = { ...NO_ITEMS };
    const observations = [...readObservations(parseRequest(body, 'protobuf', LOGS), LOGS, NOW, counts)];
    expect(observations.map(({ message }) => message)).toEqual(['Card was declined']);
    expect(counts).toMatchObject({ items: 2, unreadable: 1 });
  });

  it.each(['', 'null', '[]', '5', '{', '"\ud800'])('refuses the JSON %j', (body) => {
    expect(() => parseRequest(Buffer.from(body), 'json', LOGS)).toThrow('cannot be parsed');
  });

  it('refuses more values than memory is meant for', () => {
    const body = Buffer.from(`{"resourceLogs":[${'[],'.repeat(600_000)}[]]}`);
    expect(() => parseRequest(body, 'json', LOGS)).toThrow('export smaller batches');
  });

  it('makes no further events of a small body once they are long together', async () => {
    const resource = { attributes: [text('long', '\u0001'.repeat(4_000))] };
    const request = requestOf(
      LOGS,
      Array.from({ length: 4_000 }, () => ({})),
      resource,
    );
    const counts = { ...NO_ITEMS };
    const { texts } = await encodeObservations(
      { projectId: '0190a000-0000-7000-8000-000000000000' },
      readObservations(request, LOGS, NOW, counts),
      NOW,
      (length) => void (counts.characters += length),
    );
    expect(counts).toMatchObject({ items: 4_000, events: texts.length, beyond: 4_000 - texts.length });
    expect(counts.characters - (texts[0]?.length ?? 0)).toBeLessThan(MAX_REQUEST_CHARACTERS);
    expect(counts.characters).toBeGreaterThanOrEqual(MAX_REQUEST_CHARACTERS);
  });

  it('reads any JSON without failing', () => {
    const names = [
      'resource',
      'scope',
      'attributes',
      'key',
      'value',
      'kvlistValue',
      'values',
      'arrayValue',
      'events',
    ];
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 8 },
        fc.constantFrom(null, 0, -1, 'x', true, '0', 'exception', 1e300),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(...names, 'name', 'body', 'stringValue', 'timeUnixNano', 'traceId'),
          tie('tree'),
        ),
      ),
    }));
    fc.assert(
      fc.property(
        fc.constantFrom(LOGS, TRACES),
        fc.array(tree, { maxLength: 3 }),
        tree,
        (signal, items, resource) => {
          const request = JSON.parse(
            JSON.stringify(requestOf(signal, items, resource as object, resource as object)),
          );
          const counts = { ...NO_ITEMS };
          JSON.stringify([...readObservations(request, signal, NOW, counts)]);
        },
      ),
    );
  });
});
