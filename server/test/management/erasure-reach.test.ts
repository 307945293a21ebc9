import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService({ own: true });
const { pool } = service.database;

/** Columns that may still hold a value, each with the place that an erasure names. */
const UNREACHED: Record<string, string> = {
  'alert_groups.alerts': 'names',
  'claims.key': 'idempotency_keys',
  'deploys.environment': 'names',
  'deploys.release': 'names',
  'environments.name': 'names',
  'event_counts.source': 'names',
  'event_counts.type': 'names',
  'field_counts.source': 'names',
  'field_counts.type': 'names',
  'group_releases.release': 'names',
  'group_texts.source': 'names',
  'group_texts.type': 'names',
  'groups.first_release': 'names',
  'groups.last_release': 'names',
  'groups.source': 'names',
  'groups.type': 'names',
  'incidents.type': 'names',
  'live_updates.subject': 'transient',
  'releases.version': 'names',
  'request_samples.headers': 'transient',
  'risk_inbox.deltas': 'transient',
  'risk_inbox.errors': 'transient',
  'risk_rounds.round': 'transient',
  'risk_state.state': 'names',
  'schedules.name': 'names',
  'schedules.slug': 'names',
};

/** Columns of all tables that contain the value, as a text or as bytes. */
async function listColumnsWith(value: string): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = current_schema()::regnamespace`,
  );
  const columns: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ column: string }>(
      `SELECT DISTINCT field.key AS column FROM ${name} AS r CROSS JOIN jsonb_each_text(to_jsonb(r)) AS field
        WHERE strpos(field.value, $1) > 0 OR strpos(field.value, encode($1::bytea, 'hex')) > 0`,
      [value],
    );
    columns.push(...rows.map(({ column }) => `${name}.${column}`));
  }
  return columns.toSorted();
}

it('leaves a value that stood in all fields in no column but those that it names', async () => {
  const owner = await service.signUp();
  const project = await owner.createProject();
  const value = `usr-${randomUUID().slice(0, 8)}`;
  const any = { type: null, severity: null, source: null };
  const rules = [
    { ...any, severity: 'critical', events: 1, minutes: 1 },
    { ...any, field: { path: ['user'], operator: 'exists', value: null }, events: 1_000_000, minutes: 1 },
  ];
  expect((await owner.api.put(`/projects/${project.id}/risk`, { rules })).status).toBe(200);
  const correlation = { user_id: value, [value]: 'x' };
  const names = { release: value, environment: value, fingerprint: [value] };
  const text = `No session of ${value}`;
  const send = async (path: string, body: object) => {
    const headers = { 'idempotency-key': value, 'user-agent': value };
    const { status, body: answer } = await project.ingest.post(path, body, { headers });
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
  };
  await send('/ingest/events', {
    ...names,
    type: value,
    severity: 'ERROR',
    message: text,
    source: value,
    correlation,
    payload: { user: value, [value]: 1, frames: [{ function: value, file: `/home/${value}/a.ts`, line: 1 }] },
  });
  await send('/ingest/server-error', {
    ...names,
    status_code: 500,
    path: `/users/${value}`,
    method: 'GET',
    error_message: text,
    stack: `Error: ${text}\n    at ${value} (/srv/${value}.js:1:1)`,
    correlation,
  });
  const payload = { [value]: value };
  await send('/ingest/webhook', { source: value, event: text, payload, severity: 'ERROR', correlation });
  const data = { id: value, amount: 100, currency: 'eur', customer: value };
  await send('/ingest/payments', { type: 'charge.failed', id: value, data, correlation });
  await send('/ingest/deploys', { release: value, environment: value });
  const schedule = { name: value, intervalSeconds: 3_600 };
  await send(`/ingest/check-ins/${value}`, { status: 'error', body: text, schedule });
  const alert = {
    status: 'firing',
    labels: { alertname: value, user: value },
    annotations: { summary: text },
    startsAt: new Date(service.context.clock.now()).toISOString(),
    fingerprint: value,
  };
  await send('/ingest/grafana', { status: 'firing', groupKey: value, title: text, alerts: [alert] });
  await service.settled();
  service.wake('request counts');
  await waitFor('the requests to be written', async () => {
    const { rowCount } = await pool.query('SELECT FROM request_samples LIMIT 1');
    return rowCount !== 0;
  });

  const { body } = await owner.api.post('/erasures', { value });
  const read = async () => (await owner.api.get(`/erasures/${body.id}`)).body;
  await waitFor('the erasure to be done', async () => {
    for (const loop of ['presence', 'erasures']) service.wake(loop);
    return (await read()).state === 'done';
  });
  const found = await listColumnsWith(value);
  expect(found.filter((column) => UNREACHED[column] === undefined)).toEqual([]);
  const places = (await read()).unreached.map(({ what }: { what: string }) => what);
  expect(places).toEqual(expect.arrayContaining(found.map((column) => UNREACHED[column])));
  // Each line of the list is still true, but for rows that others may have removed by then.
  const lasting = Object.keys(UNREACHED).filter((column) => !/^(live|risk)_/.test(column));
  expect(found).toEqual(expect.arrayContaining(lasting));
});
