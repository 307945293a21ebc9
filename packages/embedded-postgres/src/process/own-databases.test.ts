import { expect, it, vi } from 'vitest';
import { scaled } from '../../../../server/test/support/time-scale.ts';
import { firstStart, query, temporaryDirectory } from '../testing.ts';
import { remakeOwnDatabases } from './own-databases.ts';

const OWN = `SELECT string_agg(concat_ws(' ', datname, datistemplate, datcollate, xact_commit > 0), ', ' ORDER BY datname) AS found,
    string_agg(oid::text, ',' ORDER BY datname) AS oids
  FROM pg_database JOIN pg_stat_database USING (datname) WHERE datname IN ('postgres', 'template1')`;
/** A database with a session cannot be renamed, and a session ends only after its client. */
const SESSIONS = `SELECT count(*) AS sessions FROM pg_stat_activity WHERE datname IN ('postgres', 'template1')`;

it('replaces PostgreSQL’s own databases once they have had a connection, which autovacuum would visit', async () => {
  // A start that creates a cluster replaces them itself after a while: here the test alone does.
  const dataDirectory = await temporaryDirectory();
  await (await firstStart({ dataDirectory })).stop();
  const { connection, maintenance } = await firstStart({ dataDirectory });
  for (const database of ['postgres', 'template1']) await query({ ...connection, database }, 'SELECT 1');
  await vi.waitFor(async () => {
    expect(await query(connection, OWN)).toMatchObject({ found: 'postgres f C t, template1 t C t' });
    expect(await query(connection, SESSIONS)).toEqual({ sessions: '0' });
  }, scaled(10_000));

  await remakeOwnDatabases(maintenance);

  const left = await query(connection, OWN);
  expect(left).toMatchObject({ found: 'postgres f C f, template1 t C f' });
  await remakeOwnDatabases(maintenance);
  expect(await query(connection, OWN)).toEqual(left);
  expect(await query(connection, 'SELECT count(*) AS databases FROM pg_database')).toEqual({
    databases: '4',
  });
});
