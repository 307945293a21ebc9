import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { findRunningPostgres, startEmbeddedPostgres } from '@tocsin/embedded-postgres';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import pg from 'pg';
import { afterAll } from 'vitest';
import { createNewDatabase } from './support.ts';

/** A user's database: embedded, or in DATABASE_URL. */
export interface Place {
  kind: PlaceKind;
  environment: { DATABASE_URL: string; DATA_DIR: string };
  /** Runs `work` on the database while no service is on it. */
  withDatabase: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  /** Runs `work` on the database beside a service. */
  besideService: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
}

export type PlaceKind = 'embedded' | 'external';

export async function createPlace(kind: PlaceKind): Promise<Place> {
  return kind === 'external' ? externalPlace(await createNewDatabase()) : embeddedPlace();
}

export function externalPlace(url: string): Place {
  const withDatabase: Place['withDatabase'] = (work) => withClient({ connectionString: url }, work);
  return {
    kind: 'external',
    environment: { DATABASE_URL: url, DATA_DIR: '' },
    withDatabase,
    besideService: withDatabase,
  };
}

/** Returns a place with a data directory that does not exist yet. */
async function embeddedPlace(): Promise<Place> {
  const directory = await temporaryDirectory();
  const dataDirectory = path.join(directory, randomBytes(4).toString('hex'));
  return {
    kind: 'embedded',
    environment: { DATABASE_URL: '', DATA_DIR: dataDirectory },
    withDatabase: async (work) => {
      const server = await startEmbeddedPostgres({ dataDirectory });
      try {
        return await withClient(server.connection, work);
      } finally {
        await server.stop();
      }
    },
    besideService: async (work) => {
      const connection = await findRunningPostgres(dataDirectory);
      if (!connection) throw new Error(`No PostgreSQL runs on ${dataDirectory}.`);
      return withClient(connection, work);
    },
  };
}

/** Creates a directory that is removed at the end of the file. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await makeScratchDirectory();
  afterAll(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Reads every row of every table, in the backup or not, as PostgreSQL writes it, in a fixed order. */
export function readRows(place: Place): Promise<Record<string, string[]>> {
  return place.withDatabase(async (client) => {
    await client.query(`SET timezone = 'UTC'`);
    const tables = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
    );
    const content: Record<string, string[]> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
      content[name] = rows.map(({ row }) => row);
    }
    return content;
  });
}
