import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { type Delta, detect, EMPTY_STATE } from '../../src/risk/detector.ts';
import { upsertState } from '../../src/risk/queries.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { incidentsCounting, incidentsOf, sendEvents } from './support.ts';

describe('several workers', async () => {
  const service = await startTestService();
  const others = [
    await startTestService({ roles: ['worker'], database: service.database }),
    await startTestService({ roles: ['worker'], database: service.database }),
  ];
  const user = await service.signUp();

  it('never open two incidents for one series, and count every event once', async () => {
    const projects = await Promise.all(Array.from({ length: 5 }, () => user.createProject()));
    await Promise.all(
      projects.flatMap(({ ingest }) => Array.from({ length: 20 }, () => sendEvents(ingest, 10))),
    );
    for (const { id } of projects) {
      const [incident] = await incidentsCounting(user, id, [200]);
      expect(incident.status).toBe('open');
    }
  });

  it('go on when one of them stops', async () => {
    await others[0]?.stop();
    const { id, ingest } = await user.createProject();
    await sendEvents(ingest, 10);
    await incidentsCounting(user, id, [10]);
  });
});

describe('the lease of the risk loop', async () => {
  const service = await startTestService();
  const { pool } = service.database;
  const user = await service.signUp();

  it('is respected while its holder lives, and taken over when he vanishes', async () => {
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

describe('a project with a steady rate of errors', async () => {
  const service = await startTestService();
  const { pool } = service.database;
  const user = await service.signUp();

  it('does not alarm at that rate, and alarms at three times of it', async () => {
    const { id, ingest } = await user.createProject();
    const now = Date.now();
    let state = EMPTY_STATE;
    for (let minute = 60; minute >= 1; minute--) {
      const bucketMs = Math.floor((now - minute * 60_000) / 5_000) * 5_000 - 60_000;
      const delta: Delta = {
        type: 'checkout',
        source: 'shop',
        critical: false,
        bucketMs,
        count: 20,
        lastMs: bucketMs,
      };
      ({ state } = detect(state, [delta], () => 0));
    }
    await upsertState(pool, toUuid('proj', id) ?? '', state, new Date(now));
    await sendEvents(ingest, 20);
    await service.settled();
    expect(await incidentsOf(user, id)).toEqual([]);
    await sendEvents(ingest, 45);
    const [incident] = await incidentsCounting(user, id, [65]);
    expect(incident.evidence.expected).toBeGreaterThan(18);
  });
});
