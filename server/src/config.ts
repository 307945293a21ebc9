import { isIP } from 'node:net';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/**
 * Every environment variable that the service reads, with its default. This file is the only reader of
 * `process.env`; `docs/operations.md` holds the same table, and a test compares them.
 */
export const VARIABLES = {
  HOST: { default: '127.0.0.1', about: 'Address to listen on.' },
  PORT: { default: '4000', about: 'Port of the management API, the dashboard and the WebSocket.' },
  INGEST_PORT: { default: '4100', about: 'Port of the ingestion API.' },
  METRICS_PORT: {
    default: '4200',
    about: 'Port of `/livez`, `/readyz` and `/metrics` for a process that runs only the worker.',
  },
  DATABASE_URL: {
    default: null,
    about: 'An outside PostgreSQL (15 or later). Unset: the embedded one is started.',
  },
  DATABASE_POOL_SIZE: { default: '10', about: 'Connections that each role of a process may open, 2 to 200.' },
  DATA_DIR: { default: './data', about: 'Where the embedded PostgreSQL keeps its data.' },
  PUBLIC_URL: {
    default: null,
    about: 'The public address of the dashboard. With `https:` the session cookie is `Secure`.',
  },
  INGEST_URL: {
    default: null,
    about:
      'The public address of the ingestion API, as shown to users. Unset: the host of `PUBLIC_URL`, or of the request, with `INGEST_PORT`.',
  },
  SESSION_SECRET: {
    default: null,
    about:
      'Signs session cookies; at least 32 characters. Unset: one is made at the first start and kept in the database.',
  },
  RETENTION_DAYS: { default: '90', about: 'How many days events are kept, 1 to 3650.' },
  LOG_LEVEL: { default: 'info', about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' },
  TRUST_PROXY: {
    default: 'false',
    about:
      'Whether `X-Forwarded-*` is believed: `true`, `false`, or a comma-separated list of proxy addresses.',
  },
} as const satisfies Record<string, { default: string | null; about: string }>;

type VariableName = keyof typeof VARIABLES;

export interface Config {
  host: string;
  port: number;
  ingestPort: number;
  metricsPort: number;
  databaseUrl: string | null;
  databasePoolSize: number;
  dataDirectory: string;
  publicUrl: URL | null;
  ingestUrl: URL | null;
  sessionSecret: string | null;
  retentionDays: number;
  logLevel: LogLevel;
  trustProxy: boolean | string[];
}

const LogLevel = Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);
type LogLevel = Static<typeof LogLevel>;

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads and validates the whole environment at once.
 * @throws ConfigError that lists every fault, one a line
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const read = <T>(
    name: VariableName,
    parse: (text: string) => T | undefined,
    expected: string,
    fallback: T,
  ): T => {
    const text = environment[name]?.trim() || VARIABLES[name].default;
    if (text === null) return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    // The secret and the password within an address stay out of every message.
    faults.push(`${name} must be ${expected}.`);
    return fallback;
  };

  const config: Config = {
    host: read('HOST', (text) => text, 'an address', '127.0.0.1'),
    port: read('PORT', integer(0, 65_535), 'a port number from 0 to 65535', 0),
    ingestPort: read('INGEST_PORT', integer(0, 65_535), 'a port number from 0 to 65535', 0),
    metricsPort: read('METRICS_PORT', integer(0, 65_535), 'a port number from 0 to 65535', 0),
    databaseUrl: read(
      'DATABASE_URL',
      databaseUrl,
      'an address such as postgres://user@host:5432/database',
      null,
    ),
    databasePoolSize: read('DATABASE_POOL_SIZE', integer(2, 200), 'a whole number from 2 to 200', 10),
    dataDirectory: read('DATA_DIR', (text) => text, 'a directory', './data'),
    publicUrl: read('PUBLIC_URL', httpUrl, 'an address that begins with http:// or https://', null),
    ingestUrl: read('INGEST_URL', httpUrl, 'an address that begins with http:// or https://', null),
    sessionSecret: read(
      'SESSION_SECRET',
      (text) => (text.length >= 32 ? text : undefined),
      'at least 32 characters long',
      null,
    ),
    retentionDays: read('RETENTION_DAYS', integer(1, 3650), 'a whole number from 1 to 3650', 90),
    logLevel: read('LOG_LEVEL', logLevel, 'one of fatal, error, warn, info, debug, trace, silent', 'info'),
    trustProxy: read(
      'TRUST_PROXY',
      trustProxy,
      'true, false or a comma-separated list of IP addresses or networks',
      false,
    ),
  };
  if (config.port !== 0 && config.port === config.ingestPort)
    faults.push('PORT and INGEST_PORT must differ.');
  for (const fault of misspelled(environment)) faults.push(fault);

  if (faults.length > 0) throw new ConfigError(['The configuration has faults:', ...faults].join('\n  '));
  return config;
}

function integer(minimum: number, maximum: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  };
}

function httpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

/** Where the host is a socket, PostgreSQL's own notation has none before the path, which a URL must have. */
function databaseUrl(text: string): string | undefined {
  const url = text.replace(/^(postgres(?:ql)?:\/\/[^/]*@)\//, '$1socket/');
  if (!URL.canParse(url)) return undefined;
  return ['postgres:', 'postgresql:'].includes(new URL(url).protocol) ? text : undefined;
}

function logLevel(text: string): LogLevel | undefined {
  return Value.Check(LogLevel, text) ? text : undefined;
}

function trustProxy(text: string): boolean | string[] | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  const addresses = text.split(',').map((address) => address.trim());
  return addresses.every(isAddressOrNetwork) ? addresses : undefined;
}

/** `10.0.0.1`, `10.0.0.0/8` or `fd00::/8`. */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const maximum = version === 4 ? 32 : 128;
  return (
    version !== 0 && rest.length === 0 && (bits === undefined || integer(0, maximum)(bits) !== undefined)
  );
}

/**
 * A variable that is one slip away from one of ours was probably meant to be it. Only names that nobody
 * else would use are looked at: those that share a word with ours and are not ours.
 */
function misspelled(environment: Record<string, string | undefined>): string[] {
  const names = Object.keys(VARIABLES);
  return Object.keys(environment)
    .filter((name) => !names.includes(name) && name.length >= 6)
    .flatMap((name) => {
      const meant = names.find((known) => known.length >= 6 && editDistance(name, known) <= 2);
      return meant ? [`${name} is unknown: did you mean ${meant}?`] : [];
    });
}

/** Levenshtein distance; the names are short and few. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
