import { describe, expect, it } from 'vitest';
import { newUuid, toId, toUuid } from '../../src/platform/ids.ts';
import type { DecisionRow } from '../../src/risk/incidents/decision.ts';
import { deleteDecisionsBefore, insertDecisions } from '../../src/risk/incidents/decision-queries.ts';
import { nextPage } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60_000;
const SERIES = { kind: 'events', type: 'a', severity: 'error', source: null, fingerprint: null } as const;

describe('the decisions of the detector', async () => {
  const service = await startTestService({ roles: ['management'] });
  const { pool } = service.database;
  const { api, organizationId, createProject } = await service.signUp();

  const decide = async (projectId: string, decisions: Partial<DecisionRow>[]) => {
    const rows = decisions.map((decision): DecisionRow => {
      const decidedAt = decision.decidedAt ?? new Date(service.context.clock.now());
      return {
        id: newUuid(decidedAt.getTime()),
        organizationId: toUuid('org', organizationId) ?? '',
        projectId: toUuid('proj', projectId) ?? '',
        incidentId: null,
        outcome: 'suppressed',
        reason: 'small_effect',
        series: SERIES,
        sentence: 'A sentence.',
        observed: 12,
        expected: 3.25,
        windowSeconds: 180,
        ...decision,
        decidedAt,
      };
    });
    await insertDecisions(pool, rows);
    return rows;
  };

  it('lists no decisions of the detector in a new project', async () => {
    const { id } = await createProject();
    await insertDecisions(pool, []);
    expect(await api.get(`/projects/${id}/risk/decisions`)).toMatchObject({ status: 200, body: [] });
  });

  it('lists decisions with all of their fields, and null for unknown values', async () => {
    const { id } = await createProject();
    const incidentId = newUuid(service.context.clock.now());
    const decidedAt = new Date('2026-11-21T10:00:00.123Z');
    const [full] = await decide(id, [{ incidentId, outcome: 'joined', reason: null, decidedAt }]);
    const bare = { series: null, observed: null, expected: null, windowSeconds: null, reason: null };
    const [later] = await decide(id, [
      { ...bare, outcome: 'left_open', decidedAt: new Date(decidedAt.getTime() + 1) },
    ]);
    const { body } = await api.get(`/projects/${id}/risk/decisions`);
    expect(body).toEqual([
      {
        ...bare,
        id: toId('dec', later?.id ?? ''),
        at: '2026-11-21T10:00:00.124Z',
        outcome: 'left_open',
        sentence: 'A sentence.',
        incidentId: null,
      },
      {
        id: toId('dec', full?.id ?? ''),
        at: '2026-11-21T10:00:00.123Z',
        outcome: 'joined',
        reason: null,
        sentence: 'A sentence.',
        series: SERIES,
        observed: 12,
        expected: 3.25,
        windowSeconds: 180,
        incidentId: toId('inc', incidentId),
      },
    ]);
  });

  it('lists decisions newest first, by outcome, in pages that neither overlap nor skip', async () => {
    const [{ id }, other] = [await createProject(), await createProject()];
    const outcomes = ['opened', 'suppressed', 'closed', 'suppressed', 'resolved'] as const;
    await decide(
      id,
      outcomes.map((outcome, index) => ({ outcome, sentence: `${index}` })),
    );
    await decide(other.id, [{ sentence: 'Of another project.' }]);
    const sentences = (body: { sentence: string }[]) => body.map(({ sentence }) => sentence).join('');
    const read = async (query: string) => {
      const { status, body, headers } = await api.get(query);
      expect(status).toBe(200);
      return { sentences: sentences(body), next: nextPage({ headers }) };
    };
    const path = `/projects/${id}/risk/decisions`;
    expect(await read(path)).toEqual({ sentences: '43210' });
    expect(await read(`${path}?outcome=suppressed`)).toEqual({ sentences: '31' });
    expect(await read(`${path}?limit=100000`)).toEqual({ sentences: '43210' });
    expect(await read(`${path}?limit=5`)).toEqual({ sentences: '43210' });
    const first = await read(`${path}?limit=1&outcome=suppressed`);
    expect(first.sentences).toBe('3');
    expect(await read(first.next ?? '')).toEqual({ sentences: '1' });
  });

  it('limits a page of decisions to 500', async () => {
    const { id } = await createProject();
    await decide(
      id,
      Array.from({ length: 501 }, () => ({})),
    );
    const { body, headers } = await api.get(`/projects/${id}/risk/decisions?limit=501`);
    expect(body).toHaveLength(500);
    expect((await api.get(nextPage({ headers }) ?? '')).body).toHaveLength(1);
  });

  it.each(['limit=0', 'limit=abc', 'outcome=OPENED', 'outcome=', 'cursor=x'])(
    'refuses to list decisions with ?%s',
    async (query) => {
      const { id } = await createProject();
      expectProblem(await api.get(`/projects/${id}/risk/decisions?${query}`), 'validation_failed');
    },
  );

  it('keeps decisions for a week', async () => {
    const { id } = await createProject();
    const now = service.context.clock.now();
    const ages = [6.9, 7.1, 8].map((days) => ({ decidedAt: new Date(now - days * DAY_MS) }));
    const [kept] = await decide(id, ages);
    await service.maintain();
    const { body } = await api.get(`/projects/${id}/risk/decisions`);
    expect(body.map((decision: { id: string }) => decision.id)).toEqual([toId('dec', kept?.id ?? '')]);
  });

  it('removes old decisions in batches, the oldest first', async () => {
    const { id } = await createProject();
    const long = new Date('2020-01-01T00:00:00Z');
    const [oldest, , youngest] = await decide(
      id,
      [0, 1, 2].map((ms) => ({ decidedAt: new Date(long.getTime() + ms) })),
    );
    expect(await deleteDecisionsBefore(pool, youngest?.decidedAt ?? long, 1)).toBe(1);
    const { body } = await api.get(`/projects/${id}/risk/decisions`);
    expect(body.map(({ id }: { id: string }) => id)).not.toContain(toId('dec', oldest?.id ?? ''));
    expect(await deleteDecisionsBefore(pool, youngest?.decidedAt ?? long, 10)).toBe(1);
    expect(await deleteDecisionsBefore(pool, youngest?.decidedAt ?? long, 10)).toBe(0);
  });

  it('deletes decisions together with their project', async () => {
    const { id } = await createProject();
    await decide(id, [{}, {}]);
    expect((await api.delete(`/projects/${id}`)).status).toBe(204);
    expectProblem(await api.get(`/projects/${id}/risk/decisions`), 'not_found');
    await service.maintain();
    const { rowCount } = await pool.query('SELECT FROM risk_decisions WHERE project_id = $1', [
      toUuid('proj', id),
    ]);
    expect(rowCount).toBe(0);
  });
});
