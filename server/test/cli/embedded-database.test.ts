import { readdir, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { startEmbeddedPostgres } from '@tocsin/embedded-postgres';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, describe, expect, it } from 'vitest';
import { listOtherConnections } from '../../src/backup/queries.ts';
import { openBackup } from '../../src/backup/read.ts';
import { restoreDatabase } from '../../src/backup/restore.ts';
import { type Access, openDatabase } from '../../src/cli/open-database.ts';
import { readConfig } from '../../src/config.ts';
import { createPool } from '../../src/database/database.ts';
import { createTestDatabase } from '../support/database.ts';
import { backUp, silent } from './support.ts';

describe('a command on the embedded database', async () => {
  const directory = await makeScratchDirectory();
  afterAll(() => rm(directory, { recursive: true, force: true }));
  const config = readConfig({ DATA_DIR: directory });
  const open = (access: Access) => openDatabase(config, 'tocsin-test', access, new AbortController().signal);

  it('creates no embedded database for a command that needs an existing one', async () => {
    await expect(open('beside, existing')).rejects.toThrow(/^There is no database in .* yet/);
    expect(await readdir(directory)).toEqual([]);
  });

  it('starts the embedded database for a command, or shares it with a running service unless it needs exclusive use', async () => {
    const first = await open('alone');
    try {
      const second = await open('beside, existing');
      expect((await second.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await second.close();
      await expect(open('alone')).rejects.toThrow(/^Tocsin already runs on the data directory/);
      expect((await first.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await first.close();
    }
  });

  it('restores by a role that is no superuser, and refuses while a process of any role uses the database', async () => {
    const bytes = await backUp((await createTestDatabase()).connectionString);
    const postgres = await startEmbeddedPostgres({ dataDirectory: directory });
    const connect = (applicationName: string, connection = postgres.connection) =>
      createPool({ connection, applicationName, maxConnections: 1, onError: () => {} });
    const pool = connect('tocsin-restore');
    const others = [connect('tocsin-worker'), connect('tocsin-maintenance', postgres.maintenance)];
    const restore = async () => {
      const backup = await openBackup(Readable.from([bytes]));
      return restoreDatabase(pool, backup, silent, { kind: 'copy' }).finally(() => backup.close());
    };
    try {
      const { rows } = await pool.query(
        'SELECT rolsuper AS "isSuperuser" FROM pg_roles WHERE rolname = current_user',
      );
      expect(rows).toEqual([{ isSuperuser: false }]);
      for (const other of others) await other.query('SELECT 1');
      await expect(restore()).rejects.toThrow(
        'The database is in use by Tocsin (tocsin-maintenance, tocsin-worker)',
      );
      await Promise.all(others.map((other) => other.end()));
      expect(await restore()).toBe(0);
      expect(await listOtherConnections(pool)).toEqual([]);
    } finally {
      await Promise.all([pool, ...others].filter(({ ended }) => !ended).map((each) => each.end()));
      await postgres.stop();
    }
  });
});
