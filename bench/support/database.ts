import { findRunningPostgres } from '@tocsin/embedded-postgres';
import { Client } from 'pg';

/** Connects to the database of a service that runs over a data directory. */
export async function connect(dataDirectory: string): Promise<Client> {
  const client = new Client({ ...(await findRunningPostgres(dataDirectory)), database: 'tocsin' });
  await client.connect();
  return client;
}
