import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { isDataError } from '../database/sql-state.ts';
import type { Footer, Header } from './format.ts';
import type { Progress } from './progress.ts';
import { countRows, insertRowStream, updateIdentity } from './queries.ts';
import { type Backup, damaged } from './read.ts';

export async function loadTables(client: pg.PoolClient, backup: Backup, progress: Progress): Promise<number> {
  const loaded = new Map<string, number>();
  for (const table of backup.header.tables)
    loaded.set(table.name, await loadTable(client, backup, table, progress));
  const footer = await backup.readFooter();
  progress.print('Checking the counts.');
  await assertCounts(client, loaded, footer.tables);
  for (const { name, lastIdentity } of footer.tables) {
    if (lastIdentity !== null) await updateIdentity(client, name, lastIdentity);
  }
  return footer.tables.reduce((sum, table) => sum + table.rows, 0);
}

async function loadTable(
  client: pg.PoolClient,
  backup: Backup,
  table: Header['tables'][number],
  progress: Progress,
): Promise<number> {
  let readingFailed: unknown;
  async function* read() {
    try {
      for await (const piece of backup.readTable(table.name)) {
        progress.advance(table.name, piece.length);
        yield piece;
      }
    } catch (error) {
      readingFailed = error;
      throw error;
    }
  }
  const stream = insertRowStream(client, table);
  try {
    await pipeline(read(), stream);
    return stream.rowCount;
  } catch (error) {
    // PostgreSQL also reports that the reader gave up; the reader's own error is the reason.
    if (readingFailed !== undefined) throw readingFailed;
    throw isDataError(error)
      ? damaged(`PostgreSQL refuses the rows of the table ${table.name}`, error)
      : error;
  }
}

async function assertCounts(
  client: pg.PoolClient,
  loaded: Map<string, number>,
  expected: Footer['tables'],
): Promise<void> {
  if (expected.length !== loaded.size) throw damaged('it counts other tables than it holds');
  for (const { name, rows } of expected) {
    const stored = loaded.has(name) ? await countRows(client, name) : null;
    if (stored === rows && loaded.get(name) === rows) continue;
    throw damaged(`the table ${name} should have ${rows} rows, and ${stored} were restored`);
  }
}
