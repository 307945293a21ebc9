import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiClient } from '../../support/client.ts';
import { StillClock } from '../../support/clock.ts';
import { startTestService } from '../../support/service.ts';
import { unstoredOf } from '../support.ts';
import { createDsnProject, envelopeOf, type Item, newEventId } from './support.ts';

const CHECK_IN = { monitor_slug: 'undeclared', status: 'in_progress' };

describe('the refusals of envelopes', async () => {
  const service = await startTestService({ clock: new StillClock(Date.UTC(2026, 10, 21, 9, 30)) });
  const user = await service.signUp();

  const countsOf = (projectId: string, quantity: number) =>
    unstoredOf(() => service.wake('item counts'), user, projectId, quantity);

  it('counts each refused request of a project by its reason', async () => {
    const project = await createDsnProject(service, user);
    const long = JSON.stringify({ message: 'x'.repeat(1024 * 1024) });
    const sessions = Array.from({ length: 101 }, () => '{"type":"session"}\n{}');
    const statuses = [];
    for (const [endpoint, body] of [
      ['envelope', ''],
      ['store', '{"message":'],
      ['envelope', ['{}', ...sessions].join('\n')],
      ['store', long],
      ['envelope', 'x'.repeat(10 * 1024 * 1024 + 1)],
      ['minidump', 'MDMP'],
    ] as const)
      statuses.push((await project.send(endpoint, body)).status);
    expect(statuses).toEqual([400, 400, 413, 413, 413, 415]);
    await project.sendItem('event', long);
    await project.sendItem('check_in', CHECK_IN);
    expect(await countsOf(project.id, 8)).toEqual([
      { kind: 'envelope', reason: 'not_kept', quantity: 1 },
      { kind: 'envelope', reason: 'too_large', quantity: 3 },
      { kind: 'envelope', reason: 'unreadable', quantity: 2 },
      { kind: 'error', reason: 'too_large', quantity: 1 },
      { kind: 'monitor', reason: 'undeclared', quantity: 1 },
    ]);
  });

  it('takes the event of an envelope whose check-in is of no schedule, or comes too often', async () => {
    const project = await createDsnProject(service, user);
    const checkIns = Array.from({ length: 31 }, (): Item => [{ type: 'check_in' }, CHECK_IN]);
    expect(
      (await project.send('envelope', envelopeOf({}, ...checkIns, [{ type: 'event' }, { message: 'Kept' }])))
        .status,
    ).toBe(200);
    await project.events(1);
    expect(await countsOf(project.id, 31)).toEqual([
      { kind: 'monitor', reason: 'over_rate', quantity: 1 },
      { kind: 'monitor', reason: 'undeclared', quantity: 30 },
    ]);
  });

  it('waits for the starts of all runs in an envelope no longer than for one', async () => {
    const project = await createDsnProject(service, user);
    const ends = Array.from({ length: 40 }, (_, index): Item => {
      const end = { monitor_slug: `undeclared-${index}`, status: 'ok', check_in_id: newEventId() };
      return [{ type: 'check_in' }, end];
    });
    expect((await project.send('envelope', envelopeOf({}, ...ends))).status).toBe(404);
    expect(await countsOf(project.id, 40)).toEqual([{ kind: 'monitor', reason: 'undeclared', quantity: 40 }]);
  });

  it('counts nothing for a project whose key is unknown or revoked', async () => {
    const [project, other] = [await createDsnProject(service, user), await createDsnProject(service, user)];
    const client = new ApiClient(service.ingestionUrl);
    for (const key of ['none', other.apiKey])
      expect((await client.post(`/api/${project.number}/envelope/?sentry_key=${key}`, '')).status).toBe(403);
    const report = { discarded_events: [{ category: 'error', reason: 'sample_rate', quantity: 7 }] };
    const body = envelopeOf({}, [{ type: 'check_in' }, CHECK_IN], [{ type: 'client_report' }, report]);
    expect((await project.sendItem('session', {})).status).toBe(200);
    await countsOf(project.id, 1);
    const [key] = (await user.api.get(`/projects/${project.id}/api-keys`)).body;
    await user.api.delete(`/api-keys/${key.id}`);
    expect((await project.send('envelope', body)).status).toBe(403);
    await other.send('envelope', '');
    await countsOf(other.id, 1);
    expect(await countsOf(project.id, 1)).toEqual([{ kind: 'session', reason: 'not_kept', quantity: 1 }]);
  });

  it('takes the event of an envelope whose check-ins the database cannot take', async () => {
    const project = await createDsnProject(service, user);
    const { pool } = service.database;
    await pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$`);
    await pool.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON check_ins FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    onTestFinished(async () => void (await pool.query('DROP FUNCTION refuse CASCADE')));
    const schedule = { type: 'interval', value: 1, unit: 'hour' };
    const item: Item = [{ type: 'check_in' }, { ...CHECK_IN, monitor_config: { schedule } }];
    const body = envelopeOf({}, item, item, [{ type: 'event' }, { message: 'Kept' }]);
    expect((await project.send('envelope', body)).status).toBe(200);
    await project.events(1);
    expect(await countsOf(project.id, 2)).toEqual([{ kind: 'monitor', reason: 'unavailable', quantity: 2 }]);
    expect((await project.send('envelope', envelopeOf({}, item))).status).toBe(503);
  });
});
