import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Queryable } from '../database/database.ts';

/** Names of tables and columns come from files and catalogs: none of them reaches a statement unquoted. */
const quote = pg.escapeIdentifier;
const quoteAll = (names: readonly string[]) => names.map(quote).join(', ');

export interface TableColumns {
  name: string;
  columns: string[];
}

/** The tables of the service's schema; the partitions of a table are part of it. */
export async function listTables(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      ORDER BY relname`,
  );
  return rows.map((row) => row.name);
}

/** The columns of these tables in their order, without the generated ones. */
export async function listColumns(database: Queryable, tables: readonly string[]): Promise<TableColumns[]> {
  const { rows } = await database.query<TableColumns>(
    `SELECT wanted.name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
      FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
      JOIN pg_class c ON c.relname = wanted.name AND c.relnamespace = current_schema()::regnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY wanted.name, wanted.place ORDER BY wanted.place`,
    [tables],
  );
  return rows;
}

/** True if a table exists at this moment, whatever a snapshot says: retention may have dropped it. */
export async function hasTable(database: Queryable, table: string): Promise<boolean> {
  const { rows } = await database.query<{ present: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS present',
    [quote(table)],
  );
  return rows[0]?.present === true;
}

export interface IdRange {
  first: string;
  last: string;
}

/** The smallest and the greatest id of a table; null if it is empty. */
export async function findIdRange(database: Queryable, table: string): Promise<IdRange | null> {
  const { rows } = await database.query<IdRange>(
    `SELECT (SELECT id FROM ${quote(table)} ORDER BY id LIMIT 1) AS first, id AS last
      FROM ${quote(table)} ORDER BY id DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

export async function countRows(database: Queryable, table: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(`SELECT count(*) AS count FROM ${quote(table)}`);
  return rows[0]?.count ?? 0;
}

/** The first of these tables that has a row, or null. */
export async function findFilledTable(
  database: Queryable,
  tables: readonly string[],
): Promise<string | null> {
  for (const table of tables) {
    const { rowCount } = await database.query(`SELECT 1 FROM ${quote(table)} LIMIT 1`);
    if (rowCount !== 0) return table;
  }
  return null;
}

/** Locks these tables against all others until the transaction ends; gives up after 30 seconds. */
export async function lockTables(database: Queryable, tables: readonly string[]): Promise<void> {
  await database.query(`SET LOCAL lock_timeout = '30s'`);
  await database.query(`LOCK TABLE ${quoteAll(tables)} IN ACCESS EXCLUSIVE MODE`);
}

/** Application names of other connections of Tocsin to this database; those of the same name are the caller's own. */
export async function listOtherConnections(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name <> current_setting('application_name')
        AND (application_name = 'tocsin' OR application_name LIKE 'tocsin-%') ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

/** The last number of a table's identity column; null if it has none, or no number was assigned yet. */
export async function findLastIdentity(database: Queryable, table: string): Promise<number | null> {
  const { rows } = await database.query<{ last: number | null }>(
    `SELECT pg_sequence_last_value(pg_get_serial_sequence($1, attname)::regclass) AS last
      FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> '' AND NOT attisdropped`,
    [quote(table)],
  );
  return rows[0]?.last ?? null;
}

/** Sets the identity such that the next row of the table gets a number after `last`. */
export async function updateIdentity(database: Queryable, table: string, last: number): Promise<void> {
  await database.query(
    `SELECT setval(pg_get_serial_sequence($1, attname), $2::bigint)
      FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> '' AND NOT attisdropped`,
    [quote(table), last],
  );
}

/** Analyses the tables, so that the first queries after a restore are planned with statistics. */
export async function analyseTables(database: Queryable, tables: readonly string[]): Promise<void> {
  await database.query(`ANALYZE ${quoteAll(tables)}`);
}

/** All rows of a table in COPY's text format. A connection whose stream is not read to its end is unusable. */
export function streamRows(client: pg.ClientBase, { name, columns }: TableColumns) {
  return client.query(copyTo(`COPY (SELECT ${quoteAll(columns)} FROM ${quote(name)}) TO STDOUT`));
}

/** Accepts rows in COPY's text format; ends when PostgreSQL has received them all. */
export function insertRowStream(client: pg.ClientBase, { name, columns }: TableColumns) {
  return client.query(copyFrom(`COPY ${quote(name)} (${quoteAll(columns)}) FROM STDIN`));
}
