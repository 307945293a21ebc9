import { join } from 'node:path';
import pg from 'pg';
import { type Connection, SUPERUSER } from '../data-directory/connection-file.ts';
import { createFile } from '../data-directory/files.ts';
import type { Postmaster } from './postmaster.ts';
import { ACCESS_FILE } from './socket-directory.ts';

/**
 * Sets the password of a cluster whose connection file was lost, say because only the cluster was restored from a
 * backup. A process that can write to the cluster may do that: for a moment a server runs that requires none, on a
 * socket that no other account can reach. (Single-user mode would need an account for the uid.)
 */
export async function resetPassword(
  launch: (settings: Record<string, string>) => Promise<Postmaster>,
  connection: Connection,
): Promise<void> {
  const accessFile = join(connection.host, ACCESS_FILE);
  const file = await createFile(accessFile, `local all ${SUPERUSER} trust\n`);
  await file.close();
  const postmaster = await launch({ hba_file: accessFile });
  const client = new pg.Client({ ...connection, database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`ALTER ROLE ${SUPERUSER} PASSWORD '${connection.password}'`);
  } finally {
    await client.end();
    await postmaster.stop();
  }
}
