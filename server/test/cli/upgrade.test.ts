import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { readMigrations } from '../../src/database/migrations.ts';
import { findIncident } from '../../src/incidents/queries.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newUuid, toId } from '../../src/platform/ids.ts';
import { startTestService } from '../support/service.ts';
import { createNewDatabase, openDatabase } from './support.ts';

const FIRST_RULE = 6;

describe('an upgrade from the first rule of detection', async () => {
  const database = openDatabase(await createNewDatabase());
  const { pool } = database;
  const migrations = await readMigrations();
  await migrate(
    pool,
    migrations.filter(({ version }) => version <= FIRST_RULE),
  );
  const ids = { critical: newUuid(1_000), spread: newUuid(2_000), investigated: newUuid(3_000) };
  const insert = async (
    id: string,
    status: string,
    rule: string,
    project: { organizationId: string; id: string },
  ) => {
    const evidence = {
      sentence: 'It failed.',
      rule,
      series: { type: 'checkout', source: rule === 'spread' ? null : 'shop' },
      observed: 10,
      expected: 0,
      windowSeconds: 60,
      from: '2026-01-05T00:00:00.000Z',
      to: '2026-01-05T00:01:00.000Z',
    };
    await pool.query(
      `INSERT INTO incidents (id, organization_id, project_id, title, severity, status, origin, event_count, evidence,
          type, source, created_at, updated_at)
        VALUES ($1, $2, $3, 'Errors: checkout', 'error', $4, 'risk', 10, $5, 'checkout', $6, now(), now())`,
      [id, project.organizationId, project.id, status, JSON.stringify(evidence), evidence.series.source],
    );
  };
  const project = { organizationId: newUuid(systemClock.now()), id: newUuid(systemClock.now()) };
  await insert(ids.critical, 'open', 'critical', project);
  await insert(ids.spread, 'open', 'spread', { ...project, id: newUuid(systemClock.now()) });
  await insert(ids.investigated, 'investigating', 'burst', { ...project, id: newUuid(systemClock.now()) });
  await migrate(pool);

  const service = await startTestService({ database, roles: ['management'] });
  const user = await service.signUp();
  const shop = await user.createProject();
  await pool.query(
    'UPDATE incidents SET organization_id = p.organization_id, project_id = p.id FROM projects p',
  );
  const read = async (id: string) => (await user.api.get(`/incidents/${toId('inc', id)}`)).body;

  it('resolves what nobody would resolve any more, and says so', async () => {
    expect(await read(ids.critical)).toMatchObject({
      projectId: shop.id,
      status: 'resolved',
      resolvedAt: expect.any(String),
      timeline: [{ by: null, to: { status: 'resolved' }, note: expect.stringContaining('begins anew') }],
    });
    expect(await read(ids.spread)).toMatchObject({ status: 'resolved' });
  });

  it('keeps incidents under investigation through the upgrade', async () => {
    expect(await read(ids.investigated)).toMatchObject({ status: 'investigating', timeline: [] });
  });

  it('brings the evidence into its new shape', async () => {
    const shape = { falseAlarmsPerWeek: null, alsoSeries: [], sampleEventIds: [], correlationIds: [] };
    expect((await read(ids.critical)).evidence).toMatchObject({
      ...shape,
      rule: 'at_least',
      series: { kind: 'events', type: 'checkout', severity: null, source: 'shop', fingerprint: null },
    });
    expect((await read(ids.spread)).evidence).toMatchObject({
      ...shape,
      rule: 'rise',
      series: { kind: 'errors' },
    });
    expect((await user.api.get('/incidents')).body).toHaveLength(3);
  });
});

describe('an upgrade from before titles had an origin', async () => {
  const BEFORE_TITLE_ORIGIN = 11;
  const database = openDatabase(await createNewDatabase());
  const { pool } = database;
  const migrations = await readMigrations();
  await migrate(
    pool,
    migrations.filter(({ version }) => version <= BEFORE_TITLE_ORIGIN),
  );
  const [organizationId, projectId, userId] = [newUuid(1), newUuid(2), newUuid(3)];
  const insert = async (origin: 'manual' | 'risk', title: string) => {
    const id = newUuid(systemClock.now());
    await pool.query(
      `INSERT INTO incidents (id, organization_id, project_id, title, severity, status, origin, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 'error', 'open', $5, now(), now())`,
      [id, organizationId, projectId, title, origin],
    );
    return id;
  };
  const note = (incidentId: string, by: string | null, after: object) =>
    pool.query(
      `INSERT INTO incident_timeline (id, incident_id, user_id, before, after, created_at)
        VALUES ($1, $2, $3, '{}', $4, now())`,
      [newUuid(systemClock.now()), incidentId, by, JSON.stringify(after)],
    );
  const originOf = async (id: string) => (await findIncident(pool, organizationId, id))?.titleOrigin;
  const ids = {
    manual: await insert('manual', 'Rise: my own'),
    generated: await insert('risk', 'Rise: checkout'),
    renamed: await insert('risk', 'Critical: cards of bank X are refused'),
    retold: await insert('risk', 'Rise: checkout'),
  };
  await note(ids.generated, userId, { status: 'investigating' });
  await note(ids.renamed, userId, { title: 'Critical: cards of bank X are refused' });
  await note(ids.retold, null, { title: 'Rise: checkout' });
  await migrate(pool);
  await pool.query('INSERT INTO organizations (id, name, created_at) VALUES ($1, $2, now())', [
    organizationId,
    'Shop',
  ]);
  await pool.query(
    'INSERT INTO projects (id, organization_id, name, environment, created_at) VALUES ($1, $2, $3, $4, now())',
    [projectId, organizationId, 'Shop', 'production'],
  );

  it('recognises titles that people chose by the timeline', async () => {
    expect(await originOf(ids.manual)).toBe('person');
    expect(await originOf(ids.generated)).toBe('generated');
    expect(await originOf(ids.renamed)).toBe('person');
    expect(await originOf(ids.retold)).toBe('generated');
  });

  it('reads what an older program creates beside this one by its origin', async () => {
    expect(await originOf(await insert('risk', 'Rise: checkout'))).toBe('generated');
    expect(await originOf(await insert('manual', 'Rise: checkout'))).toBe('person');
  });
});
