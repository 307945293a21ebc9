import { describe, expect, it } from 'vitest';
import { fulfilsField } from '../../src/events/field-condition.ts';
import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../src/events/limits.ts';
import { eventsOn } from '../../src/events/read/events-on.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/durations.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { hourOf } from '../../src/platform/time.ts';
import { previewRule } from '../../src/risk/replay/preview-rule.ts';
import type { ApiClient } from '../support/client.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { incidentsCounting, incidentsOf } from './support.ts';

const service = await startTestService();
const { pool } = service.database;
const user = await service.signUp();

const FAILED = { path: ['status'], operator: 'equals', value: 'failed' };
const RULE = {
  name: 'Payments fail',
  type: 'checkout',
  severity: null,
  source: null,
  field: FAILED,
  percent: null,
  events: 3,
  minutes: 5,
};

async function send(ingest: ApiClient, count: number, payload: unknown, others = {}): Promise<void> {
  const event = { type: 'checkout', severity: 'INFO', source: 'shop', message: 'Paid', payload, ...others };
  const { status } = await ingest.post(
    '/ingest/bulk',
    Array.from({ length: count }, () => event),
  );
  expect(status).toBe(202);
}

async function createProject(...rules: object[]) {
  const project = await user.createProject();
  const { status } = await user.api.put(`/projects/${project.id}/risk`, { rules });
  expect(status).toBe(200);
  return { ...project, uuid: toUuid('proj', project.id) };
}

async function fieldCountsOf(uuid: string | null): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT coalesce(sum(count), 0)::int AS count FROM field_counts WHERE project_id = $1',
    [uuid],
  );
  return rows[0]?.count ?? 0;
}

describe('a rule about a field of the payload', () => {
  it('opens an incident under its name for the events that fulfil it, and counts and lists these alone', async () => {
    const { id, ingest, uuid } = await createProject(RULE);
    await send(ingest, 20, { status: 'ok' });
    await send(ingest, 2, { status: 'failed' });
    await service.settled();
    expect(await incidentsOf(user, id)).toEqual([]);
    await send(ingest, 1, { status: 'failed', note: 'x' });
    const [incident] = await incidentsCounting(user, id, [3]);
    expect(incident).toMatchObject({
      title: 'Payments fail',
      severity: 'error',
      evidence: {
        rule: 'at_least',
        ruleName: 'Payments fail',
        series: { kind: 'rule', type: 'checkout', field: FAILED },
        sentence:
          '3 events in 5 min: `checkout` from `shop`. Matched your rule “Payments fail: at least 3 `checkout` events where `status` is `failed` in 5 min”.',
      },
    });
    await send(ingest, 5, { status: 'ok' });
    await send(ingest, 2, { status: 'failed' });
    await incidentsCounting(user, id, [5]);
    const { body: listed } = await user.api.get(`/incidents/${incident.id}/events`);
    expect(listed.map(({ payload }: { payload: { status: string } }) => payload.status)).toEqual(
      Array.from({ length: 5 }, () => 'failed'),
    );
    const { body: chart } = await user.api.get(`/incidents/${incident.id}/points`);
    const observed = [...chart.points, chart.running ?? { observed: 0 }];
    expect(observed.reduce((sum: number, point) => sum + point.observed, 0)).toBe(5);
    expect(await fieldCountsOf(uuid)).toBe(5);
  });

  it('counts an event once, however many rules have its condition', async () => {
    const { id, ingest, uuid } = await createProject(RULE, { ...RULE, events: 6 });
    await send(ingest, 3, { status: 'failed' });
    await incidentsCounting(user, id, [3]);
    expect(await fieldCountsOf(uuid)).toBe(3);
  });

  it('counts in its groups what its incident counts, and nothing of an environment that is not watched', async () => {
    const { id, ingest } = await createProject(RULE);
    await send(ingest, 4, { status: 'failed' }, { environment: 'staging' });
    await send(ingest, 3, { status: 'failed' });
    const [incident] = await incidentsCounting(user, id, [3]);
    await send(ingest, 5, { status: 'failed' }, { environment: 'staging' });
    await send(ingest, 1, { status: 'failed' });
    await incidentsCounting(user, id, [4]);
    const { body: groups } = await user.api.get(`/incidents/${incident.id}/groups`);
    expect(groups).toMatchObject([{ count: 4, share: 1 }]);
  });

  it('opens an incident above its share of the events of a type, and not at it', async () => {
    const { id, ingest } = await createProject({ ...RULE, name: null, percent: 20, events: 10, minutes: 10 });
    await send(ingest, 8, { status: 'ok' });
    await send(ingest, 2, { status: 'failed' });
    await service.settled();
    expect(await incidentsOf(user, id)).toEqual([]);
    await send(ingest, 2, { status: 'failed' });
    const [incident] = await incidentsCounting(user, id, [4]);
    expect(incident).toMatchObject({
      title: 'More than 20% of checkout events where status is failed',
      rate: { observed: 0.4, usual: null, unit: 'per_minute' },
      evidence: {
        rule: 'above_share',
        expected: 20,
        exposure: { events: 12, failures: 4 },
        sentence:
          '4 of 12 `checkout` events in 10 min (33%) matched your rule “more than 20% of `checkout` events where `status` is `failed`”.',
      },
    });
  });

  it('opens an incident for a share of one severity, in projects without a rule about fields', async () => {
    const { id, ingest } = await createProject({
      ...RULE,
      field: null,
      severity: 'warn',
      percent: 50,
      events: 4,
    });
    await send(ingest, 3, {});
    await send(ingest, 4, {}, { severity: 'WARN' });
    const [incident] = await incidentsCounting(user, id, [4]);
    expect(incident).toMatchObject({ title: 'Payments fail', severity: 'warn' });
  });

  it('counts nothing for another project with the same events, nor for a rule that is gone', async () => {
    const watched = await createProject(RULE);
    const other = await createProject();
    for (const { ingest } of [watched, other]) await send(ingest, 1, { status: 'failed' });
    await service.settled();
    expect([await fieldCountsOf(watched.uuid), await fieldCountsOf(other.uuid)]).toEqual([1, 0]);
    await user.api.put(`/projects/${watched.id}/risk`, { rules: [] });
    await send(watched.ingest, 9, { status: 'failed' });
    await service.settled();
    expect(await fieldCountsOf(watched.uuid)).toBe(1);
    expect(await incidentsOf(user, watched.id)).toEqual([]);
  });

  it('counts the longest condition beside the longest type and source, and refuses a longer one', async () => {
    // Han characters of four bytes, in an order that leaves nothing to compress.
    const textOf = (length: number, first: number) =>
      Array.from({ length }, (_, i) =>
        String.fromCodePoint(0x2_00_00 + (((first + i) * 7_919) % 40_000)),
      ).join('');
    const [outer, middle, inner] = [textOf(81, 0), textOf(81, 100), textOf(81, 200)];
    const field = { path: [outer, middle, inner], operator: 'exists', value: null };
    const [type, source] = [textOf(MAX_TYPE_LENGTH, 300), textOf(MAX_SOURCE_LENGTH, 500)];
    const longest = { ...RULE, type, source, field };
    const { id, ingest, uuid } = await createProject(longest);
    await send(ingest, 3, { [outer]: { [middle]: { [inner]: 1 } } }, { type, source });
    await incidentsCounting(user, id, [3]);
    expect(await fieldCountsOf(uuid)).toBe(3);
    const rules = [{ ...longest, field: { ...field, path: [`${outer}字`, middle, inner] } }];
    expectInvalid(await user.api.put(`/projects/${id}/risk`, { rules }), '/rules/0/field');
  });

  it('compares what scrubbing has left of a value', async () => {
    const filtered = { path: ['password'], operator: 'equals', value: '[Filtered]' };
    const { id, ingest } = await createProject({ ...RULE, field: filtered, events: 1 });
    await send(ingest, 1, { password: 'hunter2-and-more' });
    await incidentsCounting(user, id, [1]);
  });
});

describe('the condition of a rule on a payload', () => {
  const PAYLOAD = {
    status: 'failed',
    code: 500,
    text: '500',
    half: 0.5,
    price: '12.50',
    big: '9'.repeat(40),
    ok: true,
    none: null,
    empty: '',
    list: ['failed', 3],
    deep: { er: { value: 'yes', 'a.b': 'dotted' } },
    'a.b': 'dotted',
    grüße: '🦊',
    ['__proto__']: 'own',
    nan: 'NaN',
  };

  it.each<[string[], string, unknown, boolean]>([
    [['status'], 'equals', 'failed', true],
    [['status'], 'equals', 'Failed', false],
    [['status'], 'not', 'ok', true],
    [['status'], 'not', 'failed', false],
    [['code'], 'equals', '500', true],
    [['text'], 'equals', 500, true],
    [['code'], 'equals', 500.0, true],
    [['ok'], 'equals', 'true', true],
    [['ok'], 'equals', false, false],
    [['code'], 'greater', 499, true],
    [['code'], 'greater', 500, false],
    [['text'], 'less', 501, true],
    [['half'], 'less', 1e308, true],
    [['half'], 'greater', -1e308, true],
    [['price'], 'greater', 12.4, true],
    [['big'], 'greater', 1, false],
    [['nan'], 'greater', 1, false],
    [['nan'], 'less', 1, false],
    [['status'], 'greater', 0, false],
    [['none'], 'exists', null, false],
    [['missing'], 'exists', null, false],
    [['missing'], 'not', 'x', false],
    [['none'], 'not', 'x', false],
    [['empty'], 'exists', null, true],
    [['empty'], 'equals', '', true],
    [['list'], 'exists', null, true],
    [['list'], 'equals', '["failed", 3]', false],
    [['list'], 'not', 'x', false],
    [['list', '0'], 'equals', 'failed', false],
    [['deep'], 'exists', null, true],
    [['deep', 'er', 'value'], 'equals', 'yes', true],
    [['deep', 'er', 'a.b'], 'equals', 'dotted', true],
    [['a.b'], 'equals', 'dotted', true],
    [['a', 'b'], 'exists', null, false],
    [['status', 'length'], 'exists', null, false],
    [['grüße'], 'equals', '🦊', true],
    [['__proto__'], 'equals', 'own', true],
    [['constructor'], 'exists', null, false],
  ])('finds that %j %s %j: %j', async (path, operator, value, expected) => {
    const { rows } = await pool.query(
      `SELECT ${fulfilsField('payload')} AS fulfils FROM (SELECT $1::jsonb AS payload) AS event,
        jsonb_to_record($2) AS condition (path text[], operator text, value jsonb)`,
      [JSON.stringify(PAYLOAD), JSON.stringify({ path, operator, value })],
    );
    expect(rows).toEqual([{ fulfils: expected }]);
  });
});

describe('the preview of a rule', () => {
  const preview = (id: string, rule: object) => user.api.post(`/projects/${id}/risk/rule-preview`, rule);

  it('says when a rule, saved or not, would have opened an incident, and what it read', async () => {
    const { id, ingest } = await createProject();
    // In this order no moment between both has a larger share than all together.
    await send(ingest, 20, { status: 'ok' });
    await send(ingest, 5, { status: 'failed' });
    await service.settled();
    const { status, body } = await preview(id, RULE);
    expect(status).toBe(200);
    expect(body).toMatchObject({ events: 25, opened: 1, openings: [{ closedAt: null }] });
    expect(body.openings[0].sentence).toMatch(/^5 events in 5 min: .*“Payments fail: at least 3 /);
    expect(Date.parse(body.to) - Date.parse(body.from)).toBeGreaterThanOrEqual(30 * 86_400_000);
    expect((await preview(id, { ...RULE, events: 6 })).body).toMatchObject({ opened: 0, openings: [] });
    expect((await preview(id, { ...RULE, percent: 30, events: 1 })).body).toMatchObject({ opened: 0 });
    expect((await preview(id, { ...RULE, percent: 19, events: 25 })).body).toMatchObject({ opened: 1 });
    expect((await preview(id, { ...RULE, field: null, events: 25 })).body).toMatchObject({
      events: null,
      opened: 1,
    });
    expect((await preview(id, { ...RULE, type: 'other' })).body).toMatchObject({ events: 0, opened: 0 });
  });

  it('goes back no further than events are kept of what the rule is about', async () => {
    const { id, uuid } = await createProject();
    const fromOf = async (rule: object) => (await preview(id, { ...RULE, ...rule })).body.from;
    const hour = new Date(hourOf(Date.parse(await fromOf({})) + 10 * DAY_MS));
    await pool.query(
      `INSERT INTO event_hours (scope, organization_id, project_id, hour, severity, type, source, quarter_1, quarter_2, quarter_3, quarter_4,
          environment, is_expired)
        SELECT scope::hour_scope, $1, $2, $3, 'info', type, source, 1, 0, 0, 0, 1, type IS NULL
        FROM (VALUES ('project', NULL, NULL), ('project_series', 'checkout', 'shop')) AS counted (scope, type, source)`,
      [toUuid('org', user.organizationId), uuid, hour],
    );
    const kept = new Date(hour.getTime() + HOUR_MS).toISOString();
    expect(await fromOf({})).toBe(kept);
    expect(await fromOf({ severity: 'error', percent: 5 })).toBe(kept);
    for (const whole of [{ severity: 'error' }, { type: 'other' }, { source: 'other' }, { field: null }])
      expect(Date.parse(await fromOf(whole))).toBeLessThan(hour.getTime());
    const nowMs = hour.getTime() + 20 * DAY_MS;
    const project: [string, string] = [toUuid('org', user.organizationId) ?? '', uuid ?? ''];
    const rule = { ...RULE, field: { ...FAILED, operator: 'equals' as const } };
    const { from } = await previewRule(eventsOn(pool), project, rule, { nowMs, retentionDays: 7 });
    expect(from).toBe(new Date(nowMs - 7 * DAY_MS).toISOString());
  });

  it('refuses a rule that makes no sense, and strangers', async () => {
    const { id } = await createProject();
    expectInvalid(await preview(id, { ...RULE, field: null, percent: 5 }), '/percent');
    expectInvalid(await preview(id, { ...RULE, field: { ...FAILED, operator: 'less' } }), '/field/value');
    const stranger = await service.signUp();
    expectProblem(await stranger.api.post(`/projects/${id}/risk/rule-preview`, RULE), 'not_found');
  });
});
