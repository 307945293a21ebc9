/**
 * Every environment variable that the service reads, with its default. `docs/configure.md` has the same table, and a
 * test compares them.
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
  SPOOL_DIR: {
    default: null,
    about:
      'Directory in which ingestion keeps what clients send that would not send it again, while the database is lost. It must outlive the process. Unset: `spool` in `DATA_DIR` with the embedded PostgreSQL; with `DATABASE_URL` nothing is kept there. Set with `DATABASE_URL`: it also has `database-position.json`.',
  },
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
      'The public address of the ingestion API that the dashboard shows. Unset: the host of `PUBLIC_URL`, or of the request, with `INGEST_PORT` unless `SINGLE_PORT` is true.',
  },
  SINGLE_PORT: {
    default: 'false',
    about:
      '`true`: `PORT` takes the requests of applications as well, so that one address behind a proxy serves both. `INGEST_PORT` listens as before.',
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
  ARCHIVE_URL: {
    default: null,
    about:
      'Address of ClickHouse that keeps weeks of events that are over, such as `https://user:password@clickhouse:8443/tocsin`. Unset: PostgreSQL keeps all events.',
  },
  ARCHIVE_URL_FILE: {
    default: null,
    about: 'Path of a file that contains `ARCHIVE_URL`, instead of the variable.',
  },
  ARCHIVE_CLUSTER: {
    default: null,
    about:
      'Name of the cluster in the configuration of ClickHouse, over which the archive is replicated and sharded. Unset: one node.',
  },
  RETENTION_DAYS: { default: '90', about: 'Number of days for which events are kept, 1 to 3650.' },
  LOG_LEVEL: { default: 'info', about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.' },
  TRUST_PROXY: {
    default: 'false',
    about:
      'Which proxies may set `X-Forwarded-*`: `true` (all), `false` (none), or a comma-separated list of proxy addresses.',
  },
} as const satisfies Record<string, { default: string | null; about: string }>;

export type VariableName = keyof typeof VARIABLES;
