import { afterEach, describe, expect, it } from 'vitest';
import { findReplication } from '../../src/database/queries.ts';
import { startOwnCluster } from '../support/own-cluster.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

describe('an intake whose commits wait for a standby that does not exist', async () => {
  const cluster = await startOwnCluster();
  const service = await startTestService({ own: true, database: cluster.database });
  const ada = await service.signUp();
  const project = await ada.createProject();

  const demandStandby = async (name: string) => {
    await cluster.administer(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await cluster.administer('SELECT pg_reload_conf()');
    await waitFor('the setting', async () => {
      const [row] = await cluster.administer('SHOW synchronous_standby_names');
      return row?.['synchronous_standby_names'] === name;
    });
  };
  afterEach(() => demandStandby(''));

  const send = (message: string) =>
    project.ingest.post('/ingest/events', { type: 'order', severity: 'INFO', message });
  const WAITS = `FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%INTO queue%'`;
  const waitForCommit = () =>
    waitFor('a commit that waits', async () => (await cluster.administer(`SELECT pid ${WAITS}`)).length > 0);
  const messages = async () => {
    await service.settled();
    const { body } = await ada.api.get('/events');
    return (body as { message: string }[]).map(({ message }) => message).toSorted();
  };

  it('answers 503 while the commit still waits, and stores the event once the standby is there', async () => {
    await demandStandby('nobody');
    const { status, body } = await send('waits');
    expect([status, body.detail]).toEqual([503, 'The event could not be written.']);
    expect(await cluster.administer(`SELECT pid ${WAITS}`)).toHaveLength(1);
    await demandStandby('');
    expect((await send('follows')).status).toBe(202);
    expect(await messages()).toEqual(['follows', 'waits']);
  });

  it('refuses a batch whose wait for the standby is canceled: one machine alone has it', async () => {
    await demandStandby('nobody');
    const answer = send('canceled');
    await waitForCommit();
    await cluster.administer(`SELECT pg_cancel_backend(pid) ${WAITS}`);
    expect((await answer).status).toBe(503);
    await demandStandby('');
    expect(await messages()).toContain('canceled');
  });

  it('says how many standbys commits wait for, where they do and the role may see it', async () => {
    const readiness = async () => (await fetch(`${service.managementUrl}/readyz`)).json();
    // Before commits wait for a standby: that of this statement would not end.
    await cluster.administer('CREATE ROLE blind; GRANT blind TO tocsin_service');
    await waitFor('a new answer', async () => !('synchronousStandbys' in ((await readiness()) as object)));
    await demandStandby('nobody');
    await waitFor('the number', async () => 'synchronousStandbys' in ((await readiness()) as object));
    expect(await readiness()).toEqual({ status: 'ok', synchronousStandbys: 0 });
    const client = await cluster.database.pool.connect();
    await client.query('SET ROLE blind');
    expect(await findReplication(client)).toEqual({ isSynchronous: true, standbys: -1 });
    client.release(true);
  });
});
