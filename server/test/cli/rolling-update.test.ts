import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { writeBackup } from '../../src/backup/write.ts';
import { checkMigrations } from '../../src/cli/migrate.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createTestDatabase } from '../support/database.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { nextProgram, silent } from './support.ts';

describe('a program on the schema of the next version', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();
  const project = await user.createProject();
  const { expanding, contracting } = await nextProgram();
  const readiness = async () => {
    const answer = await fetch(`${service.managementUrl}/readyz`);
    return { status: answer.status, text: await answer.text() };
  };
  const send = (message: string) =>
    project.ingest.post('/ingest/events', { type: 'deploy', severity: 'INFO', message });
  const messages = async () =>
    ((await user.api.get('/events')).body as { message: string }[]).map(({ message }) => message);

  it('keeps serving on a newer schema while its migrations allow it', async () => {
    await migrate(pool, expanding);
    expect((await readiness()).status).toBe(200);
    expect((await send('during the update')).status).toBe(202);
    await service.settled();
    expect(await messages()).toEqual(['during the update']);
    expect((await user.createProject('Another')).id).toMatch(/^proj_/);
  });

  it('starts on a newer schema, and names the migrations that it does not know', async () => {
    expect(await migrate(pool)).toEqual({ applied: [], newer: [expanding.at(-1)?.name] });
    const lines: string[] = [];
    expect(await checkMigrations(pool, (line) => lines.push(line))).toBe(0);
    expect(lines).toEqual([`newer ${expanding.at(-1)?.name}`]);
  });

  it('refuses to back up tables that it does not know', async () => {
    const backup = writeBackup(pool, new PassThrough(), { programVersion: '0.0.0', progress: silent });
    await expect(backup).rejects.toThrow(/newer than this program .*_expand.sql.*: back up with the version/);
  });

  it('refuses to start on a schema whose migrations no longer allow it, and is not ready', async () => {
    await migrate(pool, contracting);
    await expect(migrate(pool)).rejects.toThrow(
      /has schema version \d+ \(.*_contract.sql\), .*start a newer version/,
    );
    const unready = await waitFor('the process to be unready', async () => {
      const answer = await readiness();
      return answer.status === 503 && answer;
    });
    expect(unready.text).toMatch(/start a newer version of Tocsin/);
  });
});

describe('a migration beside a long reader', () => {
  it('lets everybody else use the table while it waits, and is applied once the reader is done', async () => {
    const { pool } = await createTestDatabase();
    const { expanding } = await nextProgram();
    const reader = await beginHeldTransaction(pool);
    const heldUp: string[] = [];
    try {
      await reader.query('LOCK TABLE events IN ACCESS SHARE MODE');
      const migrating = migrate(pool, expanding, (name) => heldUp.push(name));
      await waitFor('the migration to be held up', async () => heldUp.length > 0);
      await pool.query('BEGIN; LOCK TABLE events IN ROW EXCLUSIVE MODE; COMMIT');
      await reader.query('ROLLBACK');
      expect((await migrating).applied).toEqual([expanding.at(-1)?.name]);
      expect(heldUp).toEqual([expanding.at(-1)?.name]);
    } finally {
      reader.release(true);
    }
  });

  it('rejects where its connection breaks while it waits', async () => {
    const { pool } = await createTestDatabase();
    const { expanding } = await nextProgram();
    const reader = await beginHeldTransaction(pool);
    try {
      await reader.query('LOCK TABLE events IN ACCESS SHARE MODE');
      const heldUp: string[] = [];
      const migrating = expect(migrate(pool, expanding, (name) => heldUp.push(name))).rejects.toMatchObject({
        name: 'ConnectionError',
      });
      await waitFor('the migration to be held up', async () => heldUp.length > 0);
      await pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks
          WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      await migrating;
    } finally {
      reader.release(true);
    }
  });
});
