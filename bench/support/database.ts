import { findRunningPostgres } from '@tocsin/embedded-postgres';
import { Client } from 'pg';

/** Connects to the database of a service that runs over a data directory. */
export async function connect(dataDirectory: string): Promise<Client> {
  const client = new Client({ ...(await findRunningPostgres(dataDirectory)), database: 'tocsin' });
  await client.connect();
  return client;
}

/** For a further process on that database. */
export async function databaseUrlOf(dataDirectory: string): Promise<string> {
  const running = await findRunningPostgres(dataDirectory);
  if (!running) throw new Error(`No PostgreSQL runs in ${dataDirectory}.`);
  const { host, port, user, password } = running;
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgres://${user}:${encodeURIComponent(password)}@/tocsin?${query}`;
}

/** Bytes of write-ahead log since the beginning of the cluster. */
export async function readWal(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS bytes",
  );
  return Number(rows[0]?.bytes);
}

/** Bytes of all tables but the queue's, whose space is used again. */
export async function readEventBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(oid))::text AS bytes FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'queue%'`,
  );
  return Number(rows[0]?.bytes);
}
