import { describe, expect, it } from 'vitest';
import type { GroupRow } from '../../src/groups/group-row.ts';
import { listGroups } from '../../src/groups/list-queries.ts';
import { aQueuedEvent, processed, queueBatch, storeBatch, uuidOf } from '../processing/support.ts';
import { startTestService } from '../support/service.ts';

const hex = (number: number) => number.toString(16).padStart(16, '0');

describe('the search among groups', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();

  const titlesOf = async (query: string) => {
    const { body } = await user.api.get(`/groups?${query}`);
    return body.map(({ title }: { title: string }) => title).toSorted();
  };

  it('finds groups by words of the whole message, of frames and of the culprit', async () => {
    const { id } = await user.createProject();
    const frames = [
      { function: 'charge', file: 'src/pay.ts', inApplication: true },
      { function: 'runInContext', file: 'vm.js', inApplication: false },
    ];
    await storeBatch(service, id, [
      aQueuedEvent(id, { fingerprint: hex(1), message: 'Card was declined', payload: { frames } }),
      aQueuedEvent(id, { fingerprint: hex(2), message: `Basket ${'x'.repeat(350)} is 100% _empty_` }),
      aQueuedEvent(id, { fingerprint: hex(3), message: 'Basket is full' }),
    ]);
    const find = (words: string) => titlesOf(`project_id=${id}&q=${encodeURIComponent(words)}`);
    expect(await find('RUNINCONTEXT')).toEqual(['Card was declined']);
    expect(await find('declined pay.ts')).toEqual(['Card was declined']);
    expect(await find('basket')).toHaveLength(2);
    expect(await find('100% basket _empty_')).toHaveLength(1);
    expect(await find('is')).toHaveLength(2);
    expect(await find('nowhere')).toEqual([]);
  });

  it('finds the few groups that match the conditions in each order, and pages through them', async () => {
    const { id } = await user.createProject();
    const events = Array.from({ length: 30 }, (_, kind) =>
      aQueuedEvent(id, { fingerprint: hex(100 + kind), source: kind % 2 ? 'shop' : 'office', type: 'login' }),
    );
    await storeBatch(service, id, events);
    for (const sort of ['last_seen', 'first_seen', 'count', 'users']) {
      const seen: string[] = [];
      for (let next = `/groups?project_id=${id}&source=office&sort=${sort}&limit=4`; next; ) {
        const { body, headers } = await user.api.get(next);
        seen.push(...body.map((group: { id: string }) => group.id));
        next = /<[^>]*(\/groups[^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      }
      expect(new Set(seen).size).toBe(15);
      expect(seen).toHaveLength(15);
    }
  });

  it('ends a page early after scanning many groups, and continues behind them', async () => {
    const { id } = await user.createProject();
    const projectId = uuidOf(id);
    await pool.query(
      `INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, type, source, severity, state,
          count, first_seen, last_seen)
        SELECT gen_random_uuid(), organization_id, $1, n, n::text, 'Kind ' || n, 'login', NULL, 'info',
          (CASE WHEN n % 3 = 0 THEN 'resolved' ELSE 'open' END)::group_state, n, now(), now()
        FROM projects CROSS JOIN generate_series(1, 6000) AS n WHERE projects.id = $1`,
      [projectId],
    );
    const { rows: owners } = await pool.query<{ organization_id: string }>(
      'SELECT organization_id FROM projects WHERE id = $1',
      [projectId],
    );
    const conditions = {
      projectIds: [projectId],
      state: null,
      release: null,
      environment: null,
      source: null,
      // More candidates than are read at once, so that the list is read in its order.
      type: 'login',
      severity: null,
      minSeverity: null,
      assigneeId: null,
      firstSeenAfter: null,
      isRegressed: false,
      words: ['99'],
      groupIds: null,
      at: new Date(service.context.clock.now()),
    };
    const found: GroupRow[] = [];
    let pages = 0;
    let partial = 0;
    for (let after: { value: number; id: string } | null = null, isFirst = true; after || isFirst; ) {
      isFirst = false;
      const page = { sort: 'count', after, limit: 20, maxScanned: 600 } as const;
      const { rows, last, scanned } = await listGroups(
        pool,
        owners[0]?.organization_id ?? '',
        conditions,
        page,
      );
      found.push(...rows);
      pages++;
      if (scanned !== null) partial++;
      after = last && { value: last.count, id: last.id };
    }
    expect(partial).toBeGreaterThan(5);
    expect(pages).toBeLessThan(60);
    const expected = Array.from({ length: 6_000 }, (_, index) => 6_000 - index).filter((n) =>
      `${n}`.includes('99'),
    );
    expect(found.map(({ count }) => count)).toEqual(expected);
  });

  it('shows no group as muted after the end of its mute, however many end at once', async () => {
    const { id } = await user.createProject();
    await pool.query(
      `INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, type, source, severity, state,
          mute_until, count, first_seen, last_seen)
        SELECT gen_random_uuid(), organization_id, $1, n, n::text, 'Kind ' || n, 'login', NULL, 'info', 'muted',
          now() - interval '1 minute', n, now(), now()
        FROM projects CROSS JOIN generate_series(1, 2500) AS n WHERE projects.id = $1`,
      [uuidOf(id)],
    );
    const { body } = await user.api.get(`/groups?project_id=${id}&state=muted`);
    expect(body).toEqual([]);
  });

  it('searches a limited number of groups for words if the database has no trigram index', async () => {
    const other = await startTestService({ own: true });
    const { api, createProject } = await other.signUp();
    const { id } = await createProject();
    await other.database.pool.query('DROP EXTENSION pg_trgm CASCADE');
    await queueBatch(other.database.pool, id, [
      aQueuedEvent(id, { message: 'Card was declined' }),
      aQueuedEvent(id, { fingerprint: hex(1), message: 'Paid' }),
    ]);
    await processed(other);
    const { body } = await api.get(`/groups?project_id=${id}&q=declined`);
    expect(body).toMatchObject([{ title: 'Card was declined' }]);
  });
});
