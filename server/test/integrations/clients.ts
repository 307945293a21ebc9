import { readdir, readFile } from 'node:fs/promises';

/** A client as it is published, and what its program leads to. */
export interface ForeignClient {
  /** Name of the recording. */
  name: string;
  /** Package whose version counts. */
  package: string;
  protocol: string;
  /** Program in `clients/`, with its parameters. */
  program: [file: string, ...parameters: string[]];
  /** Environment variables on top of those that `docs/integrations.md` names. */
  environment?: Record<string, string>;
  /** Stored events, the oldest first, as far as they are compared. */
  events: Record<string, unknown>[];
}

/** A request as a client sent it, with `{key}` and `{number}` in place of those of its project in the path. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** In base64. */
  body: string;
}

export interface Recording {
  client: string;
  version: string;
  /** ISO 8601. */
  recordedAt: string;
  requests: RecordedRequest[];
}

const RECORDINGS = new URL('recorded/', import.meta.url);

export const recordingFile = (name: string) => new URL(`${name}.json`, RECORDINGS);

export async function readRecordings(): Promise<Recording[]> {
  const files = (await readdir(RECORDINGS)).filter((file) => file.endsWith('.json')).toSorted();
  return Promise.all(
    files.map(async (file) => JSON.parse(await readFile(new URL(file, RECORDINGS), 'utf8')) as Recording),
  );
}

const DECLINED = {
  type: 'TypeError',
  severity: 'error',
  payload: { frames: [{ file: '/app/src/pay.js' }, {}] },
};

const LOGS = [
  {
    type: 'log',
    severity: 'info',
    source: 'checkout',
    message: 'Cart was opened',
    release: '1.4.2',
    environment: 'staging',
  },
  {
    severity: 'warn',
    message: '{"stock":{"left":1},"sku":"A-1"}',
    correlation: { order_id: 'ord_1', user_id: 'usr_1' },
    payload: { attributes: { large: 2 ** 53 - 1, share: 0.5, tags: ['a', 'b'] } },
  },
  { ...DECLINED, message: 'Payment failed', correlation: { trace_id: '5b8efff798038103d269b633813fc60c' } },
  { type: 'order.paid', severity: 'info', message: '' },
];

const SPANS = [
  {
    ...DECLINED,
    source: 'checkout',
    message: 'card is undefined',
    release: '1.4.2',
    payload: {
      ...DECLINED.payload,
      span: { name: 'POST /pay', kind: 'server', attributes: { 'http.response.status_code': 500 } },
    },
  },
];

const exporter = (signal: 'logs' | 'trace', format: 'http' | 'proto'): ForeignClient => ({
  name: `otlp-${signal}-${format}`,
  package: `@opentelemetry/exporter-${signal}-otlp-${format}`,
  protocol: `OTLP ${format === 'http' ? 'JSON' : 'protobuf'}`,
  program: [`otlp/${signal === 'logs' ? 'logs' : 'traces'}.mjs`, format],
  environment: format === 'proto' ? { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' } : {},
  events: signal === 'logs' ? LOGS : SPANS,
});

const sentryOf = (version: 7 | 8 | 10 | 11): ForeignClient => ({
  name: `sentry-node-${version}`,
  package: `sentry-node-${version}`,
  protocol: 'Sentry',
  program: ['sentry/report.mjs', `sentry-node-${version}`],
  events: [
    {
      type: 'Error',
      severity: 'error',
      source: 'shop',
      message: 'Payment failed',
      release: 'shop@1.4.2',
      environment: 'staging',
      correlation: { user_id: 'usr_1' },
      payload: {
        frames: [{ file: '/app/src/orders.js', function: 'pay', line: 7, inApplication: true }, {}],
        causes: [{ type: 'TypeError', value: 'card is undefined' }],
      },
    },
    { type: 'message', severity: 'warn', source: 'shop', message: 'Stock is low' },
  ],
});

export const CLIENTS: ForeignClient[] = [
  sentryOf(7),
  sentryOf(8),
  sentryOf(10),
  sentryOf(11),
  exporter('logs', 'http'),
  exporter('logs', 'proto'),
  exporter('trace', 'http'),
  exporter('trace', 'proto'),
  {
    name: 'otlp-pino',
    package: 'pino-opentelemetry-transport',
    protocol: 'OTLP protobuf',
    program: ['otlp/pino.mjs'],
    environment: { OTEL_SERVICE_NAME: 'checkout' },
    events: [
      { type: 'log', severity: 'info', source: 'checkout', message: 'Cart was opened' },
      { severity: 'warn', message: 'Stock is low', correlation: { order_id: 'ord_1' } },
      { ...DECLINED, message: 'Payment failed' },
      { severity: 'critical', message: 'Out of memory' },
    ],
  },
  {
    name: 'otlp-winston',
    package: '@opentelemetry/winston-transport',
    protocol: 'OTLP JSON',
    program: ['otlp/winston.mjs'],
    events: [
      {
        type: 'log',
        severity: 'info',
        source: '@opentelemetry/winston-transport',
        message: 'Cart was opened',
      },
      { severity: 'warn', message: 'Stock is low', correlation: { order_id: 'ord_1' } },
      { ...DECLINED, message: 'card is undefined' },
    ],
  },
];
