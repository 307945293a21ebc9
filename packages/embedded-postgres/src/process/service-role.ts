import pg from 'pg';
import { type Connection, SERVICE_ROLE } from '../data-directory/connection-file.ts';

/** Rights to read the activity of all sessions, and to end them; a checkpoint is a matter of cost alone. */
const GRANTED = ['pg_read_all_stats', 'pg_signal_backend', 'pg_checkpoint'];

/** Statements that transfer everything in our database that belongs neither to the role nor to an extension. */
const HAND_OVER = `
  SELECT format('ALTER TABLE %s OWNER TO ${SERVICE_ROLE}', c.oid::regclass) AS statement
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v', 'm') AND pg_get_userbyid(c.relowner) <> '${SERVICE_ROLE}'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('ALTER SEQUENCE %s OWNER TO ${SERVICE_ROLE}', c.oid::regclass)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind = 'S' AND pg_get_userbyid(c.relowner) <> '${SERVICE_ROLE}'
      AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i', 'e'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${SERVICE_ROLE}', p.oid::regprocedure)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = 'public' AND pg_get_userbyid(p.proowner) <> '${SERVICE_ROLE}'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO ${SERVICE_ROLE}', t.oid::regtype)
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE n.nspname = 'public' AND t.typtype IN ('e', 'd') AND pg_get_userbyid(t.typowner) <> '${SERVICE_ROLE}'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')`;

/**
 * Prepares the role of the service, which is no superuser: it owns the database and everything in it. A directory of
 * an earlier version, where all of that belongs to the superuser, is transferred in one transaction. Runs at each
 * start: an earlier version may have created something meanwhile.
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
    const { rows } = await client.query<{ statement: string }>(HAND_OVER);
    for (const { statement } of rows) await client.query(statement);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
