import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, ledgerOf, storeBatch, uuidOf } from './support.ts';

describe('the environment of an event', async () => {
  const service = await startTestService();
  const user = await service.signUp();

  const environmentsOf = async (projectId: string): Promise<Record<string, string>> => {
    const { body } = await user.api.get(`/events?project_id=${projectId}&limit=500`);
    return Object.fromEntries(
      body.map(({ message, environment }: Record<string, string>) => [message, environment]),
    );
  };

  it('gives an event that names no environment that of its project, for good', async () => {
    const { body: project } = await user.api.post('/projects', { name: 'Shop', environment: 'staging' });
    await storeBatch(service, project.id, [
      aQueuedEvent(project.id, { message: 'unnamed' }),
      aQueuedEvent(project.id, { message: 'named', environment: 'production' }),
    ]);
    expect(await environmentsOf(project.id)).toEqual({ unnamed: 'staging', named: 'production' });
    await user.api.patch(`/projects/${project.id}`, { environment: 'development' });
    // It was fixed when the event was stored.
    expect(await environmentsOf(project.id)).toEqual({ unnamed: 'staging', named: 'production' });
  });

  it('folds the environment of an event at each native endpoint', async () => {
    const project = await user.createProject();
    const post = async (path: string, body: object) =>
      expect((await project.ingest.post(path, body)).status).toBe(202);
    await post('/ingest/events', {
      type: 'a',
      severity: 'INFO',
      message: 'event',
      environment: ' STG ',
    });
    await post('/ingest/bulk', [
      { type: 'a', severity: 'INFO', message: 'bulk', environment: 'Prod' },
      { type: 'a', severity: 'INFO', message: 'blank', environment: ' ' },
      { type: 'a', severity: 'INFO', message: 'unnamed' },
    ]);
    await post('/ingest/server-error', {
      status_code: 500,
      path: '',
      method: '',
      error_message: 'error',
      environment: 'local',
    });
    await post('/ingest/webhook', { source: 'a', event: 'webhook', payload: {}, environment: 'preprod' });
    await post('/ingest/payments', { type: 'payment', data: {}, environment: 'EU-West' });
    await service.settled();
    expect(await environmentsOf(project.id)).toEqual({
      event: 'staging',
      bulk: 'production',
      blank: 'production',
      unnamed: 'production',
      error: 'development',
      webhook: 'staging',
      payment: 'eu-west',
    });
    const [event] = (await user.api.get(`/events?project_id=${project.id}&type=payment`)).body;
    expect((await user.api.get(`/events/${event.id}`)).body.environment).toBe('eu-west');
  });

  it('refuses an environment of more than 64 characters', async () => {
    const project = await user.createProject();
    const body = { type: 'a', severity: 'INFO', message: 'event', environment: 'x'.repeat(65) };
    const answer = await project.ingest.post('/ingest/events', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('keeps 20 environments of a project beside the three of projects, and calls further ones other', async () => {
    const project = await user.createProject();
    const named = (name: string) => aQueuedEvent(project.id, { message: name, environment: name });
    const names = Array.from({ length: 22 }, (_, index) => `pr-${String(index).padStart(2, '0')}`);
    await storeBatch(service, project.id, [...names.slice(0, 12).map(named), named('staging')]);
    await storeBatch(service, project.id, [
      ...names.slice(12).map(named),
      named('development'),
      named('other'),
    ]);
    const expected = Object.fromEntries(names.map((name, index) => [name, index < 20 ? name : 'other']));
    expect(await environmentsOf(project.id)).toEqual({
      ...expected,
      staging: 'staging',
      development: 'development',
      other: 'other',
    });
    const ledger = await ledgerOf(user, project.id);
    expect(ledger).toMatchObject({ accepted: 25, stored: 25, queued: 0, dead: 0 });
  });

  it('gives each environment one number where several workers meet it first', async () => {
    const projects = await Promise.all([user.createProject(), user.createProject()]);
    await Promise.all(
      projects.flatMap(({ id }) =>
        ['a', 'b', 'c', 'd'].map((name) =>
          storeBatch(service, id, [aQueuedEvent(id, { message: name, environment: name })]),
        ),
      ),
    );
    for (const { id } of projects) {
      expect(await environmentsOf(id)).toEqual({ a: 'a', b: 'b', c: 'c', d: 'd' });
      const { rows } = await service.database.pool.query(
        'SELECT number::int FROM environments WHERE project_id = $1 ORDER BY number',
        [uuidOf(id)],
      );
      expect(rows.map(({ number }) => number)).toEqual([4, 5, 6, 7]);
    }
  });
});
