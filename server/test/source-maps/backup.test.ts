import { describe, expect, it } from 'vitest';
import { SOURCE_MAP_TABLES } from '../../src/backup/tables.ts';
import { backUp, createNewDatabase, restore, withPool } from '../cli/support.ts';
import { startTestService } from '../support/service.ts';
import { bundleOf, uploadBundle } from './bundle.ts';

describe('a backup without source maps', async () => {
  const service = await startTestService({ roles: ['management'] });
  const user = await service.signUp();
  const { id } = await user.createProject();
  const bundle = bundleOf({ '4f8a2b1c-0000-4000-8000-000000000001': { version: 3 } });
  await uploadBundle(user.api, user.organizationId, bundle, [id]);

  it.each([
    [true, 0],
    [false, 1],
  ])('leaves their tables empty on demand (%s), and restores the rest', async (omitsSourceMaps, rows) => {
    const backup = await backUp(service.database.connectionString, undefined, omitsSourceMaps);
    const target = await createNewDatabase();
    await restore(target, backup);
    await withPool(target, 'tocsin-test', async (pool) => {
      for (const table of SOURCE_MAP_TABLES)
        expect((await pool.query(`SELECT FROM ${table}`)).rowCount).toBe(rows);
      expect((await pool.query('SELECT FROM projects')).rowCount).toBe(1);
    });
  });
});
