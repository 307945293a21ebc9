import { readSecretFiles } from './config-files.ts';
import {
  databaseUrl,
  flag,
  httpUrl,
  integer,
  type LogLevel,
  logLevel,
  misspelled,
  outboundAllow,
  passwordCheck,
  signUpMode,
  trustProxy,
  unreadableCertificate,
} from './config-values.ts';
import { readSender, readSmtpAddress, type SmtpAddress } from './mail/smtp-address.ts';
import { ENCRYPTION_KEY_FORM, readKeys } from './platform/encryption/encryption.ts';
import type { PasswordCheck } from './tenancy/accounts/password-policy.ts';
import type { SignUpMode } from './tenancy/accounts/sign-up-policy.ts';

/**
 * Every environment variable that the service reads, with its default. This file is the only reader of `process.env`;
 * `docs/configure.md` has the same table, and a test compares them.
 */
export const VARIABLES = {
  HOST: { default: '127.0.0.1', about: 'Address to listen on.' },
  PORT: { default: '4000', about: 'Port of the management API, the dashboard and the WebSocket.' },
  INGEST_PORT: { default: '4100', about: 'Port of the ingestion API.' },
  METRICS_PORT: {
    default: null,
    about:
      'Port of `/metrics`, `/livez` and `/readyz`. When it is set, no other port answers `/metrics`. Unset: the ports of management and ingestion answer `/metrics`, and a process that runs only the worker listens on 4200.',
  },
  METRICS_HOST: {
    default: null,
    about:
      'Address to listen on at `METRICS_PORT`. Unset: 127.0.0.1 if `METRICS_PORT` is set, otherwise `HOST`.',
  },
  DATABASE_URL: {
    default: null,
    about: 'Address of an external PostgreSQL (15 or later). Unset: the service starts the embedded one.',
  },
  DATABASE_URL_FILE: {
    default: null,
    about: 'Path of a file that contains `DATABASE_URL`, instead of the variable.',
  },
  REQUIRE_DATABASE_URL: {
    default: 'false',
    about:
      '`true`: the service refuses to start without `DATABASE_URL` and does not start the embedded PostgreSQL.',
  },
  DATABASE_POOL_SIZE: {
    default: '10',
    about: 'Maximum number of database connections for each role of a process, 2 to 200.',
  },
  DATA_DIR: { default: './data', about: 'Data directory of the embedded PostgreSQL.' },
  POSTGRES_UID: {
    default: '54329',
    about:
      'The uid of the embedded PostgreSQL when root starts the service. It needs no account; no other program should run under it.',
  },
  PUBLIC_URL: {
    default: null,
    about:
      'The public address of the dashboard. Only pages of this origin may send changes. With `https:` the session cookie is `Secure` and answers carry `Strict-Transport-Security`.',
  },
  INGEST_URL: {
    default: null,
    about:
      'The public address of the ingestion API that the dashboard shows. Unset: the host of `PUBLIC_URL`, or of the request, with `INGEST_PORT`.',
  },
  SIGNUP: {
    default: 'open',
    about:
      'Who may sign up: `open` (anyone), `invited` (only with an invitation) or `closed` (no one). The first user of an installation can always sign up.',
  },
  PASSWORD_CHECK: {
    default: 'none',
    about:
      'What new passwords are compared with: `none` (any of at least 8 characters is accepted) or `common` (the 3,000 most common ones of 8 characters and more are refused, in any case of their letters).',
  },
  SESSION_SECRET: {
    default: null,
    about:
      'Secret that signs session cookies; at least 32 characters. Unset: the first start generates one and stores it in the database.',
  },
  SESSION_SECRET_FILE: {
    default: null,
    about: 'Path of a file that contains `SESSION_SECRET`, instead of the variable.',
  },
  ENCRYPTION_KEY: {
    default: null,
    about:
      'Key that encrypts stored secrets, such as those of notification targets and authenticator apps; at least 32 characters. Further keys after a comma only decrypt. Unset: with the embedded PostgreSQL the first start generates one in `encryption.key` in `DATA_DIR`; with `DATABASE_URL` such secrets are refused.',
  },
  ENCRYPTION_KEY_FILE: {
    default: null,
    about: 'Path of a file that contains `ENCRYPTION_KEY`, instead of the variable.',
  },
  OUTBOUND_ALLOW: {
    default: null,
    about:
      'Hosts, addresses and networks that notifications may be sent to although they are not in the public internet, with commas between: `10.0.0.0/8,ntfy.lan,100.64.0.0/10`. Names of the hosts file are found only where they are listed here.',
  },
  SMTP_URL: {
    default: null,
    about:
      'Mail server, such as `smtp://user:password@mail.example.com:587` or `smtps://…:465`. TLS is used where the server offers it; `?tls=required` or `?tls=never` says otherwise, and with a password it is required. Unset: no mail is sent.',
  },
  SMTP_URL_FILE: {
    default: null,
    about: 'Path of a file that contains `SMTP_URL`, instead of the variable.',
  },
  SMTP_FROM: {
    default: null,
    about: 'Sender of mail, such as `Tocsin <tocsin@example.com>`; needed with `SMTP_URL`.',
  },
  RETENTION_DAYS: { default: '90', about: 'Number of days for which events are kept, 1 to 3650.' },
  LOG_LEVEL: { default: 'info', about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' },
  TRUST_PROXY: {
    default: 'false',
    about:
      'Which proxies may set `X-Forwarded-*`: `true` (all), `false` (none), or a comma-separated list of proxy addresses.',
  },
} as const satisfies Record<string, { default: string | null; about: string }>;

type VariableName = keyof typeof VARIABLES;

export interface Config {
  host: string;
  port: number;
  ingestPort: number;
  metricsPort: number | null;
  metricsHost: string | null;
  databaseUrl: string | null;
  databasePoolSize: number;
  dataDirectory: string;
  /** For root alone. */
  postgresUid: number;
  publicUrl: URL | null;
  ingestUrl: URL | null;
  signUpMode: SignUpMode;
  passwordCheck: PasswordCheck;
  sessionSecret: string | null;
  /** Keys, the encrypting one first; null: not set. */
  encryptionKeys: string[] | null;
  /** Addresses that requests may be sent to beside the public internet. */
  outboundAllow: string[];
  /** Null: no mail is sent. */
  mail: (SmtpAddress & { from: string }) | null;
  retentionDays: number;
  logLevel: LogLevel;
  trustProxy: boolean | string[];
}

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads and validates the whole environment at once.
 * @throws ConfigError that lists every problem, one per line
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const environment = readSecretFiles(variables, problems);
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
    problems.push(`${name} must be ${expected}.`);
    return fallback;
  };

  const smtpAddress = read<SmtpAddress | null>(
    'SMTP_URL',
    readSmtpAddress,
    'an address such as smtp://user:password@mail.example.com:587',
    null,
  );
  const sender = read<string | null>(
    'SMTP_FROM',
    readSender,
    'an address such as Tocsin <tocsin@example.com>',
    null,
  );
  const config: Config = {
    host: read('HOST', (text) => text, 'an address', '127.0.0.1'),
    port: read('PORT', integer(0, 65_535), 'a port number from 0 to 65535', 0),
    ingestPort: read('INGEST_PORT', integer(0, 65_535), 'a port number from 0 to 65535', 0),
    metricsPort: read<number | null>(
      'METRICS_PORT',
      integer(0, 65_535),
      'a port number from 0 to 65535',
      null,
    ),
    metricsHost: read<string | null>('METRICS_HOST', (text) => text, 'an address', null),
    databaseUrl: read(
      'DATABASE_URL',
      databaseUrl,
      'an address such as postgres://user@host:5432/database',
      null,
    ),
    databasePoolSize: read('DATABASE_POOL_SIZE', integer(2, 200), 'a whole number from 2 to 200', 10),
    dataDirectory: read('DATA_DIR', (text) => text, 'a directory', './data'),
    postgresUid: read('POSTGRES_UID', integer(1, 2_147_483_647), 'a uid from 1 to 2147483647', 54_329),
    publicUrl: read('PUBLIC_URL', httpUrl, 'an address that begins with http:// or https://', null),
    ingestUrl: read('INGEST_URL', httpUrl, 'an address that begins with http:// or https://', null),
    signUpMode: read('SIGNUP', signUpMode, 'open, invited or closed', 'open'),
    passwordCheck: read('PASSWORD_CHECK', passwordCheck, 'none or common', 'none'),
    sessionSecret: read(
      'SESSION_SECRET',
      (text) => (text.length >= 32 ? text : undefined),
      'at least 32 characters long',
      null,
    ),
    encryptionKeys: read<string[] | null>('ENCRYPTION_KEY', readKeys, ENCRYPTION_KEY_FORM, null),
    outboundAllow: read<string[]>(
      'OUTBOUND_ALLOW',
      outboundAllow,
      'a comma-separated list of host names, IP addresses or networks such as 10.0.0.0/8',
      [],
    ),
    mail: smtpAddress && sender ? { ...smtpAddress, from: sender } : null,
    retentionDays: read('RETENTION_DAYS', integer(1, 3650), 'a whole number from 1 to 3650', 90),
    logLevel: read('LOG_LEVEL', logLevel, 'one of fatal, error, warn, info, debug, trace, silent', 'info'),
    trustProxy: read(
      'TRUST_PROXY',
      trustProxy,
      'true, false or a comma-separated list of IP addresses or networks',
      false,
    ),
  };
  if (environment['SMTP_URL']?.trim() && !environment['SMTP_FROM']?.trim())
    problems.push('SMTP_FROM must be set, since SMTP_URL is set.');
  if (config.port !== 0 && config.port === config.ingestPort)
    problems.push('PORT and INGEST_PORT must differ.');
  if (config.metricsPort && [config.port, config.ingestPort].includes(config.metricsPort))
    problems.push('METRICS_PORT must differ from PORT and INGEST_PORT.');
  if (read('REQUIRE_DATABASE_URL', flag, 'true or false', false) && !environment['DATABASE_URL']?.trim()) {
    problems.push('DATABASE_URL must be set, since REQUIRE_DATABASE_URL is true.');
  }
  const certificateProblem = unreadableCertificate(config.databaseUrl);
  if (certificateProblem) problems.push(certificateProblem);
  for (const problem of misspelled(environment, Object.keys(VARIABLES))) problems.push(problem);

  if (problems.length > 0) throw new ConfigError(['The configuration has errors:', ...problems].join('\n  '));
  return config;
}
