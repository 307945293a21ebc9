/** Ways by which applications and other services send. */
export const PROTOCOLS = [
  'events',
  'deploys',
  'check_ins',
  'pings',
  'sentry',
  'otlp',
  'alertmanager',
  'grafana',
  'cloudevents',
  'hooks',
  // An address of none of them.
  'other',
] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const ADDRESSES: readonly [RegExp, Protocol][] = [
  [/^\/ingest\/(?:events|server-error|webhook|payments|bulk)$/, 'events'],
  [/^\/ingest\/deploys$/, 'deploys'],
  [/^\/ingest\/check-ins\/[^/]+$/, 'check_ins'],
  [/^\/ingest\/alertmanager\/?$/, 'alertmanager'],
  [/^\/ingest\/grafana\/?$/, 'grafana'],
  [/^\/ingest\/cloudevents$/, 'cloudevents'],
  [/^\/v1\/(?:logs|traces|metrics)\/?$/, 'otlp'],
  [/^\/hooks\//, 'hooks'],
  [/^\/(?:ping|api\/push)\//, 'pings'],
  [/^\/(?:t|api)\/\d+(?:\/|$)/, 'sentry'],
];

/** Returns the protocol of an address, by its path. */
export function protocolOf(path: string): Protocol {
  return ADDRESSES.find(([address]) => address.test(path))?.[1] ?? 'other';
}
