import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { decisionsOf, incidentsCounting, incidentsOf, sendEvents } from './support.ts';

describe('several workers', async () => {
  const service = await startTestService({ own: true });
  const others = [
    await startTestService({ roles: ['worker'], database: service.database }),
    await startTestService({ roles: ['worker'], database: service.database }),
  ];
  const user = await service.signUp();

  it('opens one incident for a series and counts every event once with several workers', async () => {
    const projects = await Promise.all(Array.from({ length: 5 }, () => user.createProject()));
    await Promise.all(
      projects.flatMap(({ ingest }) => Array.from({ length: 20 }, () => sendEvents(ingest, 10))),
    );
    for (const { id } of projects) {
      const [incident] = await incidentsCounting(user, id, [200]);
      expect(incident.status).toBe('open');
    }
  });

  it('continues with the other workers when one of them stops', async () => {
    await others[0]?.stop();
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 20);
    await incidentsCounting(user, id, [20]);
  });
});

describe('a worker that takes over', async () => {
  const service = await startTestService({ roles: ['ingestion', 'management'] });
  const user = await service.signUp();

  it('continues where the last worker died, between two saves of the state', async () => {
    const { id, ingest } = await user.createProject();
    const startWorker = () => startTestService({ roles: ['worker'], database: service.database });
    const first = await startWorker();
    await sendEvents(ingest, 20);
    const [incident] = await incidentsCounting(user, id, [20]);
    await sendEvents(ingest, 7);
    await incidentsCounting(user, id, [27]);
    // It cannot save its state at the end, like a worker that is killed.
    const blocker = await beginHeldTransaction(service.database.pool);
    await blocker.query('LOCK TABLE risk_state IN SHARE MODE');
    await first.stop();
    await blocker.query('ROLLBACK');
    blocker.release();
    const { rows } = await service.database.pool.query('SELECT FROM risk_rounds');
    expect(rows.length).toBeGreaterThan(0);

    // Decisions of the rounds are neither reported twice nor lost.
    const decisions = await decisionsOf(user, id);
    await sendEvents(ingest, 9);
    const second = await startWorker();
    const [grown] = await incidentsCounting(user, id, [36]);
    expect(grown.id).toBe(incident.id);
    expect(await decisionsOf(user, id)).toEqual(decisions);
    await second.stop();
  });
});

describe('the lease of the risk loop', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();

  it('respects the lease of the risk loop while its holder lives, and takes it over afterwards', async () => {
    const holder = randomUUID();
    await pool.query(
      `INSERT INTO leases (name, holder_id, expires_at) VALUES ('risk', $1, clock_timestamp() + interval '1 hour')
        ON CONFLICT (name) DO UPDATE SET holder_id = excluded.holder_id, expires_at = excluded.expires_at`,
      [holder],
    );
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 20);
    await waitFor('the stream to hold the burst', async () => {
      const { rowCount } = await pool.query('SELECT FROM risk_inbox');
      return rowCount === 1;
    });
    expect(await incidentsOf(user, id)).toEqual([]);
    await pool.query(`UPDATE leases SET expires_at = clock_timestamp() + interval '0.3 seconds'`);
    await incidentsCounting(user, id, [20]);
    const { rows } = await pool.query<{ holder: string }>('SELECT holder_id AS holder FROM leases');
    expect(rows).toEqual([{ holder: service.context.processId }]);
  });
});
