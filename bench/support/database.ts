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
