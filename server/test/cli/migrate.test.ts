import { describe, expect, it } from 'vitest';
import { applyMigrations, checkMigrations } from '../../src/cli/migrate.ts';
import { readMigrations } from '../../src/database/migrations.ts';
import { createNewDatabase, readTables, withPool } from './support.ts';

describe('tocsin migrate', async () => {
  const url = await createNewDatabase();
  const names = (await readMigrations()).map((migration) => migration.name);

  const run = async (command: typeof applyMigrations) => {
    const lines: string[] = [];
    const exitCode = await withPool(url, 'tocsin-migrate', (pool) =>
      command(pool, (line) => lines.push(line)),
    );
    return { exitCode, lines };
  };

  it('prints pending migrations with --check and applies nothing', async () => {
    const pending = names.map((name) => `pending ${name}`);
    expect(await run(checkMigrations)).toEqual({ exitCode: 1, lines: pending });
    expect(await readTables(url)).toEqual([]);
  });

  it('applies pending migrations and names them', async () => {
    expect(await run(applyMigrations)).toEqual({
      exitCode: 0,
      lines: names.map((name) => `applied ${name}`),
    });
    expect(await run(applyMigrations)).toEqual({ exitCode: 0, lines: ['The schema is up to date.'] });
    expect(await run(checkMigrations)).toEqual({ exitCode: 0, lines: ['The schema is up to date.'] });
  });

  it('sets no time limit for a migration', async () => {
    const limits = await withPool(url, 'tocsin-migrate', async (pool) => {
      const { rows } = await pool.query<{ statement: string; idle: string }>(
        `SELECT current_setting('statement_timeout') AS statement,
          current_setting('idle_in_transaction_session_timeout') AS idle`,
      );
      return { ...rows[0], client: pool.options.query_timeout };
    });
    expect(limits).toEqual({ statement: '0', idle: '0', client: undefined });
  });
});
