import { readSecretFiles } from './config-files.ts';
import {
  archiveUrl,
  clusterName,
  databaseUrl,
  flag,
  httpUrl,
  integer,
  type LogLevel,
  logLevel,
  misspelled,
  outboundAllow,
  passwordCheck,
  severalHosts,
  signUpMode,
  trustProxy,
  unreadableCertificate,
} from './config-values.ts';
import { VARIABLES, type VariableName } from './config-variables.ts';
import { readSender, readSmtpAddress, type SmtpAddress } from './mail/smtp-address.ts';
import { ENCRYPTION_KEY_FORM, readKeys } from './platform/encryption/encryption.ts';
import type { PasswordCheck } from './tenancy/accounts/password-policy.ts';
import type { SignUpMode } from './tenancy/accounts/sign-up-policy.ts';

export interface Config {
  host: string;
  port: number;
  ingestPort: number;
  metricsPort: number | null;
  metricsHost: string | null;
  databaseUrl: string | null;
  databasePoolSize: number;
  dataDirectory: string;
  /** Null: not set. */
  spoolDirectory: string | null;
  /** For root alone. */
  postgresUid: number;
  publicUrl: URL | null;
  ingestUrl: URL | null;
  /** True if the management port takes the requests of applications as well. */
  singlePort: boolean;
  signUpMode: SignUpMode;
  passwordCheck: PasswordCheck;
  sessionSecret: string | null;
  /** Keys, the encrypting one first; null: not set. */
  encryptionKeys: string[] | null;
  /** Addresses that requests may be sent to beside the public internet. */
  outboundAllow: string[];
  /** Null: no mail is sent. */
  mail: (SmtpAddress & { from: string }) | null;
  /** ClickHouse for weeks of events that are over; null: PostgreSQL keeps all of them. */
  archive: { url: URL; cluster: string | null } | null;
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
export function readConfig(variables: Environment): Config {
  const problems: string[] = [];
  const environment = readSecretFiles(variables, problems);
  const read = createReader(environment, problems);
  const config: Config = {
    mail: readMail(read),
    archive: readArchive(read),
    ...readAddresses(read),
    ...readDatabase(read),
    ...readAccess(read),
    outboundAllow: read<string[]>(
      'OUTBOUND_ALLOW',
      outboundAllow,
      'a comma-separated list of host names, IP addresses or networks such as 10.0.0.0/8',
      [],
    ),
    retentionDays: read('RETENTION_DAYS', integer(1, 3650), 'a whole number from 1 to 3650', 90),
    logLevel: read('LOG_LEVEL', logLevel, 'one of fatal, error, warn, info, debug, trace, silent', 'info'),
  };
  const needsDatabaseUrl = read('REQUIRE_DATABASE_URL', flag, 'true or false', false);
  const contradictions = findContradictions(config, environment, needsDatabaseUrl);
  const unknown = misspelled(environment, Object.keys(VARIABLES));
  for (const problem of [...contradictions, ...unknown]) problems.push(problem);
  if (problems.length > 0) throw new ConfigError(['The configuration has errors:', ...problems].join('\n  '));
  return config;
}

type Environment = Record<string, string | undefined>;

/** Parses a variable; one with a fault is a problem, and has its fallback as value. */
type ReadVariable = <T>(
  name: VariableName,
  parse: (text: string) => T | undefined,
  expected: string,
  fallback: T,
) => T;

function createReader(environment: Environment, problems: string[]): ReadVariable {
  return (name, parse, expected, fallback) => {
    const text = environment[name]?.trim() || VARIABLES[name].default;
    if (text === null) return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    // The secret and the password within an address stay out of every message.
    problems.push(`${name} must be ${expected}.`);
    return fallback;
  };
}

function readMail(read: ReadVariable): Config['mail'] {
  const address = read<SmtpAddress | null>(
    'SMTP_URL',
    readSmtpAddress,
    'an address such as smtp://user:password@mail.example.com:587',
    null,
  );
  const from = read<string | null>(
    'SMTP_FROM',
    readSender,
    'an address such as Tocsin <tocsin@example.com>',
    null,
  );
  return address && from ? { ...address, from } : null;
}

function readArchive(read: ReadVariable): Config['archive'] {
  const url = read<URL | null>(
    'ARCHIVE_URL',
    archiveUrl,
    'an address such as https://user:password@host:8443/database',
    null,
  );
  const cluster = read<string | null>(
    'ARCHIVE_CLUSTER',
    clusterName,
    'a name of letters, digits, hyphens and underscores',
    null,
  );
  return url && { url, cluster };
}

const PORT_FORM = 'a port number from 0 to 65535';
const HTTP_URL_FORM = 'an address that begins with http:// or https://';

/** The addresses that the service listens on, and those that it is known by. */
function readAddresses(read: ReadVariable) {
  const port = integer(0, 65_535);
  return {
    host: read('HOST', (text) => text, 'an address', '127.0.0.1'),
    port: read('PORT', port, PORT_FORM, 0),
    ingestPort: read('INGEST_PORT', port, PORT_FORM, 0),
    metricsPort: read<number | null>('METRICS_PORT', port, PORT_FORM, null),
    metricsHost: read<string | null>('METRICS_HOST', (text) => text, 'an address', null),
    publicUrl: read('PUBLIC_URL', httpUrl, HTTP_URL_FORM, null),
    ingestUrl: read('INGEST_URL', httpUrl, HTTP_URL_FORM, null),
    singlePort: read('SINGLE_PORT', flag, 'true or false', false),
    trustProxy: read(
      'TRUST_PROXY',
      trustProxy,
      'true, false or a comma-separated list of IP addresses or networks',
      false,
    ),
  };
}

function readDatabase(read: ReadVariable) {
  return {
    databaseUrl: read(
      'DATABASE_URL',
      databaseUrl,
      'an address such as postgres://user@host:5432/database',
      null,
    ),
    databasePoolSize: read('DATABASE_POOL_SIZE', integer(2, 200), 'a whole number from 2 to 200', 10),
    dataDirectory: read('DATA_DIR', (text) => text, 'a directory', './data'),
    spoolDirectory: read<string | null>('SPOOL_DIR', (text) => text, 'a directory', null),
    postgresUid: read('POSTGRES_UID', integer(1, 2_147_483_647), 'a uid from 1 to 2147483647', 54_329),
  };
}

/** Settings of sign-up and passwords, and the secrets of sessions and of stored values. */
function readAccess(read: ReadVariable) {
  const secret = (text: string) => (text.length >= 32 ? text : undefined);
  return {
    signUpMode: read('SIGNUP', signUpMode, 'open, invited or closed', 'open'),
    passwordCheck: read('PASSWORD_CHECK', passwordCheck, 'none or common', 'none'),
    sessionSecret: read('SESSION_SECRET', secret, 'at least 32 characters long', null),
    encryptionKeys: read<string[] | null>('ENCRYPTION_KEY', readKeys, ENCRYPTION_KEY_FORM, null),
  };
}

/** The faults that no variable has by itself. */
function findContradictions(
  { port, ingestPort, metricsPort, databaseUrl: address }: Config,
  environment: Environment,
  needsDatabaseUrl: boolean,
): string[] {
  const isSet = (name: VariableName) => Boolean(environment[name]?.trim());
  const problems: string[] = [];
  if (isSet('SMTP_URL') && !isSet('SMTP_FROM'))
    problems.push('SMTP_FROM must be set, since SMTP_URL is set.');
  if (isSet('ARCHIVE_CLUSTER') && !isSet('ARCHIVE_URL'))
    problems.push('ARCHIVE_URL must be set, since ARCHIVE_CLUSTER is set.');
  if (port !== 0 && port === ingestPort) problems.push('PORT and INGEST_PORT must differ.');
  if (metricsPort && [port, ingestPort].includes(metricsPort))
    problems.push('METRICS_PORT must differ from PORT and INGEST_PORT.');
  if (needsDatabaseUrl && !isSet('DATABASE_URL'))
    problems.push('DATABASE_URL must be set, since REQUIRE_DATABASE_URL is true.');
  for (const problem of [severalHosts(address), unreadableCertificate(address)])
    if (problem) problems.push(problem);
  return problems;
}
