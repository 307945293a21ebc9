import { assertReachable } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { assertSessionsAreKept } from '../database/pooler.ts';
import { prepareForEvents } from '../maintenance/maintenance.ts';
import type { RoleContext } from './role.ts';

export async function prepareDatabase(context: RoleContext): Promise<void> {
  const { pool, clock, log, config } = context;
  await migrateWithoutLimit(context);
  await prepareForEvents(pool, clock, log, config.retentionDays);
}

/** Migrates on a connection without time limits: a migration may take as long as its data needs. */
async function migrateWithoutLimit({ createPool, connection, log }: RoleContext): Promise<void> {
  const pool = createPool('tocsin-migrate', { statementTimeoutMs: 0 });
  try {
    await assertReachable(pool, connection);
    await assertSessionsAreKept(pool);
    const { applied, newer } = await migrate(pool, undefined, (migration) =>
      log.warn({ migration }, 'a migration waits until others, such as a backup, let go of a table'),
    );
    if (applied.length > 0) log.info({ applied }, 'migrated the database');
    if (newer.length > 0)
      log.warn({ newer }, 'the schema is newer than this program, which may go on serving');
  } finally {
    await pool.end();
  }
}
