import { createHmac } from 'node:crypto';
import { anAlert } from '../alerts/support.ts';
import { bundleOf, sha1 } from '../source-maps/bundle.ts';
import { envelopeOf, newEventId } from './envelopes/support.ts';
import { anEvent } from './support.ts';

/** Secret of each hook. */
export const SIGNING_SECRET = 'entered-at-both-ends';
const BUNDLE = bundleOf({ '4f8a2b1c-0000-4000-8000-000000000001': { version: 3, sources: [] } });
const JSON_TYPE = { 'content-type': 'application/json' };

/** Secrets of a project, one of each use, and what names it. */
export interface Secrets {
  key: string;
  browser: string;
  pingKey: string;
  pingToken: string;
  hook: string;
  token: string;
  number: number;
  organizationId: string;
  projectId: string;
}
type Use = 'key' | 'browser' | 'pingKey' | 'pingToken' | 'hook' | 'token';
export const USES: Use[] = ['key', 'browser', 'pingKey', 'pingToken', 'hook', 'token'];

/** An address that takes data, and a good request to it but for its credential. */
export interface Door {
  name: string;
  method?: string;
  /** The use whose secrets open it; default: a project's key. */
  use?: Use;
  path: (secret: string, names: Secrets) => string;
  headers?: (secret: string) => Record<string, string>;
  body: (secret: string, names: Secrets) => string | Uint8Array<ArrayBuffer>;
  /** Status of a refusal; default: 401. */
  refusal?: number;
  /** True if the address names a project or an organization, which must be that of the secret. */
  isNamed?: boolean;
  /** True if it takes keys for browsers as well. */
  isForBrowsers?: boolean;
  /** Treatment of a compressed body: refused with 415 (but for gzip), or kept as it is; default: it is decompressed. */
  coded?: 'refused' | 'gzip' | 'kept';
}

const inHeader = (secret: string) => ({ ...JSON_TYPE, ...(secret && { 'x-api-key': secret }) });
const asBearer = (secret: string) => ({ ...JSON_TYPE, ...(secret && { authorization: `Bearer ${secret}` }) });
const json = (value: unknown) => () => JSON.stringify(value);

/** Returns every address that takes data of applications and other systems. */
export function doorsAt(nowMs: number): Door[] {
  const alerts = { version: '4', groupKey: 'g', alerts: [anAlert({ startsAtMs: nowMs })] };
  const record = { timeUnixNano: `${nowMs}000000`, severityNumber: 17, body: { stringValue: 'Declined' } };
  const exception = { name: 'exception', attributes: [] };
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'pay', events: [exception] };
  const github = JSON.stringify({ zen: 'Keep it logically awesome.', repository: { full_name: 'a/b' } });
  const event = { event_id: newEventId(), message: 'Declined', level: 'error' };
  const inQuery = (endpoint: string) => (secret: string, names: Secrets) =>
    `/api/${names.number}/${endpoint}/?sentry_version=7${secret && `&sentry_key=${secret}`}`;
  const envelope = (headers: object) => envelopeOf({ ...headers }, [{ type: 'event' }, event]);
  const multipart = Buffer.concat([
    Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; filename="${sha1(BUNDLE)}"\r\n\r\n`),
    BUNDLE,
    Buffer.from('\r\n--x--\r\n'),
  ]);
  const below = (path: string) => (_secret: string, names: Secrets) =>
    `/api/0/organizations/${names.organizationId}/${path}/`;
  const releases = { use: 'token', headers: asBearer, isNamed: true, coded: 'refused' } as const;
  const dsn = { refusal: 403, isNamed: true } as const;
  const byAddress = { refusal: 404 } as const;
  const ping = { body: () => 'ok', coded: 'kept', ...byAddress } as const;

  return [
    { name: 'events', path: () => '/ingest/events', headers: inHeader, body: json(anEvent()) },
    { name: 'bulk', path: () => '/ingest/bulk', headers: inHeader, body: json([anEvent()]) },
    { name: 'deploys', path: () => '/ingest/deploys', headers: inHeader, body: json({ release: '1.0' }) },
    {
      name: 'check-ins',
      path: () => '/ingest/check-ins/nightly',
      headers: inHeader,
      body: json({ status: 'ok', schedule: { intervalSeconds: 3_600 } }),
    },
    { name: 'envelopes', path: inQuery('envelope'), body: () => envelope({}), isForBrowsers: true, ...dsn },
    {
      name: 'envelopes by a header',
      path: (_secret, { number }) => `/api/${number}/envelope/`,
      headers: (secret) => ({ 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${secret}` }),
      body: () => envelope({}),
      isForBrowsers: true,
      ...dsn,
    },
    { name: 'store', path: inQuery('store'), body: json({ ...event, event_id: newEventId() }), ...dsn },
    {
      name: 'security',
      path: inQuery('security'),
      body: json({ 'csp-report': { 'violated-directive': 'img-src', 'blocked-uri': 'https://x.example' } }),
      isForBrowsers: true,
      ...dsn,
    },
    {
      name: 'the tunnel',
      path: (_secret, { number }) => `/t/${number}`,
      body: (secret, { number }) => envelope(secret ? { dsn: `https://${secret}@x.example/${number}` } : {}),
      isForBrowsers: true,
      coded: 'gzip',
      ...dsn,
    },
    {
      name: 'check-ins of Sentry',
      path: (secret, { number }) => `/api/${number}/cron/nightly/${secret || 'none'}/?status=ok`,
      body: json({ monitor_config: { schedule: { type: 'crontab', value: '0 3 * * *' } } }),
      ...dsn,
    },
    {
      name: 'logs',
      path: () => '/v1/logs',
      headers: asBearer,
      body: json({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
    },
    {
      name: 'traces',
      path: () => '/v1/traces',
      headers: inHeader,
      body: json({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    },
    {
      name: 'Alertmanager',
      path: () => '/ingest/alertmanager',
      headers: (secret) => ({
        ...JSON_TYPE,
        authorization: `Basic ${Buffer.from(`tocsin:${secret}`).toString('base64')}`,
      }),
      body: json(alerts),
    },
    { name: 'Grafana', method: 'PUT', path: () => '/ingest/grafana', headers: asBearer, body: json(alerts) },
    {
      name: 'CloudEvents',
      path: () => '/ingest/cloudevents',
      headers: (secret) => ({ ...asBearer(secret), 'content-type': 'application/cloudevents+json' }),
      body: json({ specversion: '1.0', id: '1', source: '/shop', type: 'order.created' }),
    },
    {
      name: 'hooks',
      use: 'hook',
      path: (secret) => `/hooks/${secret}`,
      headers: () => ({
        ...JSON_TYPE,
        'x-github-event': 'ping',
        'x-github-delivery': 'd-1',
        'x-hub-signature-256': `sha256=${createHmac('sha256', SIGNING_SECRET).update(github).digest('hex')}`,
      }),
      body: () => github,
      coded: 'refused',
      ...byAddress,
    },
    { name: 'pings', use: 'pingToken', path: (secret) => `/ping/${secret}`, ...ping },
    {
      name: 'pings by a key',
      use: 'pingKey',
      path: (secret) => `/ping/${secret}/nightly?create=1`,
      ...ping,
    },
    {
      name: 'push monitors',
      use: 'pingToken',
      path: (secret) => `/api/push/${secret}?status=up`,
      ...ping,
    },
    {
      name: 'releases',
      path: below('releases'),
      body: (_secret, { projectId }) => JSON.stringify({ version: '2', projects: [projectId] }),
      ...releases,
    },
    {
      name: 'deploys of releases',
      path: below('releases/2/deploys'),
      body: json({ environment: 'production' }),
      ...releases,
    },
    {
      ...releases,
      name: 'chunks of source maps',
      path: below('chunk-upload'),
      headers: (secret) => ({ ...asBearer(secret), 'content-type': 'multipart/form-data; boundary=x' }),
      body: () => new Uint8Array(multipart),
    },
    {
      ...releases,
      name: 'bundles of source maps',
      path: below('artifactbundle/assemble'),
      body: (_secret, { projectId }) =>
        JSON.stringify({
          checksum: sha1(BUNDLE),
          chunks: [sha1(BUNDLE)],
          projects: [projectId],
          version: null,
        }),
    },
  ];
}
