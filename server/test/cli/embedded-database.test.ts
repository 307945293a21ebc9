import { readdir, rm } from 'node:fs/promises';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, describe, expect, it } from 'vitest';
import { type Access, openDatabase } from '../../src/cli/open-database.ts';
import { readConfig } from '../../src/config.ts';

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
});
