import { appendFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { describe, expect, it } from 'vitest';
import { upsertAcceptance } from '../src/database/position-queries.ts';
import { createDsnProject } from './ingestion/envelopes/support.ts';
import { atEnd } from './support/at-end.ts';
import { startOwnCluster } from './support/own-cluster.ts';
import { startTestService } from './support/service.ts';
import { waitFor } from './support/wait.ts';

/** Lets the server start as a standby whose primary does not exist. */
const demote = (files: string): Promise<void> => writeFile(path.join(files, 'standby.signal'), '');

/** Ends the recovery of a copy at once, on a timeline of its own. */
async function promote(files: string): Promise<void> {
  await writeFile(path.join(files, 'recovery.signal'), '');
  await appendFile(path.join(files, 'postgresql.auto.conf'), "restore_command = 'false'\n");
}

describe('a database that goes back in time', async () => {
  const cluster = await startOwnCluster();
  const directory = await makeScratchDirectory();
  atEnd(() => rm(directory, { recursive: true }));
  const lines: Record<string, unknown>[] = [];
  const service = await startTestService({
    own: true,
    database: cluster.database,
    environment: { LOG_LEVEL: 'error', METRICS_PORT: '0', SPOOL_DIR: directory },
    logDestination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const ada = await service.signUp();
  const project = await createDsnProject(service, ada);

  const readiness = async (url = service.managementUrl) => (await fetch(`${url}/readyz`)).json();
  const send = async (message: string) => {
    const event = { type: 'order', severity: 'INFO', message };
    return (await project.ingest.post('/ingest/events', event)).status;
  };
  const rewinds = async () => {
    const text = await service.context.metrics.registry.metrics();
    return Number(/^tocsin_database_rewound_total (\d+)$/m.exec(text)?.[1]);
  };
  const reports = () => lines.filter(({ msg }) => String(msg).startsWith('the database went back in time'));
  const notice = async () => {
    const { body } = await ada.api.get('/auth/notices');
    return (body as { kind: string; lost: { from: string; until: string } }[]).find(
      ({ kind }) => kind === 'database_rewound',
    );
  };

  it('reports nothing where a restart loses nothing', async () => {
    await cluster.save('first');
    await waitFor('intake', async () => (await send('kept')) === 202);
    await service.settled();
    await cluster.save('second');
    await waitFor('intake', async () => (await send('kept, too')) === 202);
    expect(await rewinds()).toBe(0);
  });

  it('reports a database that goes back in time with both times by the log, a counter and a notice to each OWNER', async () => {
    expect(await send('lost')).toBe(202);
    await cluster.restore('second', promote);
    const told = await waitFor('the notice', notice);
    expect(Date.parse(told.lost.until)).toBeGreaterThanOrEqual(Date.parse(told.lost.from));
    expect([await rewinds(), reports().length]).toEqual([1, 1]);
    expect(reports()[0]).toMatchObject({ level: 'error', lastCommitAt: told.lost.until });
    expect(await send('goes on')).toBe(202);
    await service.settled();
    const { body } = await ada.api.get('/events');
    expect((body as { message: string }[]).map(({ message }) => message).toSorted()).toEqual([
      'goes on',
      'kept',
    ]);
  });

  it('refuses a database on an earlier timeline until a person accepts it, and says why where it keeps events on disk', async () => {
    const before = await rewinds();
    // From now on its key is watched, as its client would not send again.
    expect((await project.sendItem('event', { message: 'gone' })).status).toBe(200);
    await cluster.restore('first');
    await waitFor('the refusal', async () =>
      String(((await readiness()) as { detail?: string }).detail).startsWith(
        'The database is on an earlier timeline',
      ),
    );
    expect(await send('refused')).toBe(503);
    expect((await project.sendItem('event', { message: 'kept on disk' })).status).toBe(200);
    expect(await readiness(service.ingestionUrl)).toMatchObject({
      status: 'ok',
      spoolingSince: expect.any(String),
      reason: expect.stringContaining('on an earlier timeline'),
    });
    await waitFor('the report', async () => (await rewinds()) === before + 1);
    const stored = "SELECT value FROM settings WHERE name = 'rewind'";
    // Nobody has accepted it: the commits of the other server are not gone.
    expect((await cluster.database.pool.query(stored)).rows).toEqual([]);
    await upsertAcceptance(cluster.database.pool, service.context.clock.now());
    await waitFor('intake', async () => (await send('accepted')) === 202);
    await waitFor('the notice', notice);
    expect(await rewinds()).toBe(before + 1);
    await waitFor('the event that was kept', async () => {
      const { body } = await ada.api.get('/events');
      return (body as { message: string }[]).some(({ message }) => message === 'kept on disk');
    });
  });

  it('refuses a standby until it is promoted, and reports nothing as it has everything', async () => {
    const before = await rewinds();
    await cluster.restart(demote);
    await waitFor('the refusal', async () =>
      String(((await readiness()) as { detail?: string }).detail).startsWith('The database is a standby'),
    );
    expect(await send('refused, too')).toBe(503);
    await cluster.administer('SELECT pg_promote()');
    await waitFor('intake', async () => (await send('promoted')) === 202);
    expect(await rewinds()).toBe(before);
  });
});
