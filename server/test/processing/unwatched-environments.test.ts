import { expect, it } from 'vitest';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { signUpWithWebhook } from '../support/webhook-target.ts';
import { aQueuedEvent, storeBatch, uuidOf } from './support.ts';

const service = await startTestService({ environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
const { pool } = service.database;

const ERROR: Partial<QueuedEvent> = { severity: 'error', fingerprint: 'feedfacefeedface' };
const store = (projectId: string, ...events: Partial<QueuedEvent>[]) =>
  storeBatch(
    service,
    projectId,
    events.map((event) => aQueuedEvent(projectId, event)),
  );

it('hands detection the counts and errors of watched environments alone', async () => {
  await pool.query('CREATE TABLE streamed (deltas jsonb, errors jsonb)');
  await pool.query(`CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO streamed VALUES (NEW.deltas, NEW.errors); RETURN NEW; END'`);
  await pool.query(
    'CREATE TRIGGER keep_row BEFORE INSERT ON risk_inbox FOR EACH ROW EXECUTE FUNCTION keep_row()',
  );
  const { id } = await (await service.signUp()).createProject();
  await store(
    id,
    { type: 'own' },
    { type: 'own', environment: 'production' },
    { type: 'named', environment: 'eu' },
    { ...ERROR, type: 'failed', environment: 'staging' },
    { ...ERROR, type: 'failed', environment: 'development' },
  );
  await store(id, { ...ERROR, type: 'failed', environment: 'staging' });
  const { rows } = await pool.query(
    `SELECT delta ->> 'type' AS type, sum((delta -> 'count')::int)::int AS count
      FROM streamed, jsonb_array_elements(deltas) AS delta GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { type: 'named', count: 1 },
    { type: 'own', count: 2 },
  ]);
  expect((await pool.query('SELECT FROM streamed WHERE errors <> $1', ['[]'])).rowCount).toBe(0);
  const { rows: counted } = await pool.query(
    'SELECT sum(count)::int AS count FROM event_counts WHERE project_id = $1',
    [uuidOf(id)],
  );
  expect(counted).toEqual([{ count: 6 }]);
});

it('tells of a group once a watched environment has it, and not before', async () => {
  const { user, project, webhook } = await signUpWithWebhook(service, {
    route: { changes: ['group_new', 'group_regressed'] },
  });
  await store(project.id, { ...ERROR, message: 'later', environment: 'staging' });
  const [group] = (await user.api.get(`/groups?project_id=${project.id}`)).body;
  expect(group).toMatchObject({ title: 'later', count: 1, firstRelease: null });
  await store(project.id, { ...ERROR, fingerprint: '1'.repeat(16), message: 'at once' });
  await webhook.arrived(1);
  await store(project.id, ERROR, { ...ERROR, environment: 'staging' });
  await webhook.arrived(2);
  await store(project.id, ERROR, { ...ERROR, environment: 'staging' });
  expect(webhook.received.map(({ type, data }) => [type, data['group'].title])).toEqual([
    ['group.new', 'at once'],
    ['group.new', 'later'],
  ]);
});

it('reopens a resolved group by events of watched environments alone', async () => {
  const user = await service.signUp();
  const project = await user.createProject();
  await store(
    project.id,
    { ...ERROR, release: '1.0.0' },
    { ...ERROR, release: '1.0.1', environment: 'staging' },
  );
  const [{ id, lastRelease }] = (await user.api.get(`/groups?project_id=${project.id}`)).body;
  expect(lastRelease).toBe('1.0.0');
  expect((await user.api.get(`/releases?project_id=${project.id}`)).body).toMatchObject([
    { version: '1.0.0' },
  ]);
  await user.api.patch(`/groups/${id}`, { state: 'resolved', resolution: 'now' });
  const stateAfter = async (event: Partial<QueuedEvent>) => {
    await store(project.id, { ...ERROR, release: '1.0.1', ...event });
    return (await user.api.get(`/groups/${id}`)).body.state;
  };
  expect(await stateAfter({ environment: 'staging' })).toBe('resolved');
  expect(await stateAfter({ environment: 'development' })).toBe('resolved');
  expect(await stateAfter({ environment: 'eu' })).toBe('open');
});

it('opens no incident for a critical event of an environment that is not watched', async () => {
  const user = await service.signUp();
  const project = await user.createProject();
  const send = (message: string, environment: string) =>
    project.ingest.post('/ingest/events', { type: 'crash', severity: 'CRITICAL', message, environment });
  await send('in staging', 'staging');
  await send('in staging', 'staging');
  await send('in production', 'live');
  await send('in staging', 'staging');
  const incident = await waitFor('the incident', async () => {
    const { body } = await user.api.get(`/incidents?project_id=${project.id}`);
    return body[0]?.eventCount > 0 && body[0];
  });
  expect(incident.eventCount).toBe(1);
  const listed = (await user.api.get(`/events?incident_id=${incident.id}`)).body;
  expect(listed.map(({ message }: { message: string }) => message)).toEqual(['in production']);
  await service.settled();
  const { facts } = (await user.api.get(`/incidents/${incident.id}`)).body;
  expect(facts.newestEvent.message).toBe('in production');
});
