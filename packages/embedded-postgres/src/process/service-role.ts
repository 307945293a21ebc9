import pg from 'pg';
import { type Connection, SERVICE_ROLE } from '../data-directory/connection-file.ts';

/** Rights to read the activity of all sessions, and to end them; a checkpoint is a matter of cost alone. */
const GRANTED = ['pg_read_all_stats', 'pg_signal_backend', 'pg_checkpoint'];

/**
 * Prepares the role of the service, which is no superuser: it owns the database and creates everything in it. Runs at each
 * start, which may bring another password.
 */
export async function prepareServiceRole(superuser: Connection, password: string): Promise<void> {
  const client = new pg.Client(superuser);
  // A connection that breaks also rejects what waits for it.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN');
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE]);
    if (rowCount === 0) await client.query(`CREATE ROLE ${SERVICE_ROLE}`);
    const secret = pg.escapeLiteral(password);
    await client.query(
      `ALTER ROLE ${SERVICE_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD ${secret};
      GRANT ${GRANTED.join(', ')} TO ${SERVICE_ROLE};
      ALTER DATABASE ${superuser.database} OWNER TO ${SERVICE_ROLE};
      ALTER SCHEMA public OWNER TO ${SERVICE_ROLE}`,
    );
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
