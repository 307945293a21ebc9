import { DEFAULT_SETTINGS } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import {
  findNewestSettings,
  findRiskSettings,
  listRiskSettingsChangedSince,
  listRiskSettingsOf,
} from '../../src/risk/settings/queries.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const RULE = {
  name: null,
  type: 'checkout',
  severity: 'error',
  source: null,
  field: null,
  percent: null,
  events: 10,
  minutes: 5,
};
const FIELD = { path: ['status'], operator: 'equals', value: 'failed' };

describe('what a project asks of the detector', async () => {
  const service = await startTestService();
  const { pool } = service.database;
  const owner = await service.signUp();
  const create = async () => {
    const { id } = await owner.createProject();
    return { id, uuid: toUuid('proj', id) ?? '', path: `/projects/${id}/risk` };
  };
  const lastChange = async () => (await owner.api.get('/organizations/audit?limit=1')).body[0];

  it('answers the default detector settings until they are changed', async () => {
    const { path, uuid } = await create();
    const { status, body } = await owner.api.get(path);
    expect(status).toBe(200);
    expect(body).toEqual(DEFAULT_SETTINGS);
    expect(await findRiskSettings(pool, toUuid('org', owner.organizationId) ?? '', uuid)).toEqual(body);
  });

  it('keeps detector settings that a change does not name', async () => {
    const { path } = await create();
    const changes = [{ budget: 0.5 }, { rules: [RULE] }, { newKinds: false }, {}, { rules: [] }];
    let expected: object = DEFAULT_SETTINGS;
    for (const change of changes) {
      expected = { ...expected, ...change };
      const { status, body } = await owner.api.put(path, change);
      expect({ status, body }).toEqual({ status: 200, body: expected });
      expect((await owner.api.get(path)).body).toEqual(expected);
    }
  });

  it('audits a change of detector settings by the changed fields, before and after', async () => {
    const { path, id } = await create();
    await owner.api.put(path, { budget: 2, newKinds: true });
    expect(await lastChange()).toMatchObject({
      action: 'project.risk_changed',
      targetId: id,
      before: { budget: 1 },
      after: { budget: 2 },
    });
    await owner.api.put(path, { rules: [RULE], newKinds: false });
    const { before, after } = await lastChange();
    expect(before).toEqual({ rules: DEFAULT_SETTINGS.rules, newKinds: true });
    expect(after).toEqual({ rules: [RULE], newKinds: false });
  });

  it('neither audits nor writes unchanged detector settings', async () => {
    const { path } = await create();
    const before = await lastChange();
    await owner.api.put(path, DEFAULT_SETTINGS);
    await owner.api.put(path, {});
    expect(await lastChange()).toEqual(before);

    await owner.api.put(path, { rules: [RULE] });
    const changed = await lastChange();
    // The order of fields in JSON is not significant.
    await owner.api.put(path, { rules: [Object.fromEntries(Object.entries(RULE).toReversed())] });
    expect(await lastChange()).toEqual(changed);
  });

  it('takes rules without a name, a field and a share as those that ask for none', async () => {
    const { path } = await create();
    const { name, field, percent, ...plain } = RULE;
    expect((await owner.api.put(path, { rules: [plain] })).body.rules).toEqual([
      { ...plain, name, field, percent },
    ]);
  });

  it('keeps the conditions on fields with the project, for as long as a rule has them', async () => {
    const { path, uuid } = await create();
    const counted = async () =>
      (await pool.query('SELECT counted_fields AS fields FROM projects WHERE id = $1', [uuid])).rows[0]
        .fields;
    const rule = { ...RULE, name: ' Payments fail ', field: FIELD, percent: 5 };
    const { body } = await owner.api.put(path, { rules: [RULE, rule] });
    expect(body.rules[1]).toEqual({ ...rule, name: 'Payments fail' });
    expect(await counted()).toEqual([{ key: '[["status"],"equals","failed"]', ...FIELD }]);
    await owner.api.put(path, { rules: [RULE] });
    expect(await counted()).toBeNull();
  });

  it('refuses unknown properties in rules of the detector settings', async () => {
    const { path } = await create();
    const { body } = await owner.api.put(path, { rules: [{ ...RULE, organizationId: 'x' }], updatedAt: 1 });
    expect(body).toEqual({ ...DEFAULT_SETTINGS, rules: [RULE] });
    const { rows } = await pool.query<{ text: string }>('SELECT rules::text AS text FROM risk_settings');
    expect(rows.map(({ text }) => text).join()).not.toContain('organizationId');
  });

  it.each<[string, unknown, string]>([
    ['a budget of nothing', { budget: 0 }, '/budget'],
    ['a budget beyond 100', { budget: 101 }, '/budget'],
    ['a text for a number', { budget: '1' }, '/budget'],
    ['a rule without its type', { rules: [{ ...RULE, type: undefined }] }, '/rules/0/type'],
    ['an empty type', { rules: [{ ...RULE, type: '' }] }, '/rules/0/type'],
    ['a type that no event has', { rules: [{ ...RULE, type: 'x'.repeat(129) }] }, '/rules/0/type'],
    ['a severity in upper case', { rules: [{ ...RULE, severity: 'ERROR' }] }, '/rules/0/severity'],
    ['no event', { rules: [{ ...RULE, events: 0 }] }, '/rules/0/events'],
    ['half an event', { rules: [{ ...RULE, events: 1.5 }] }, '/rules/0/events'],
    ['more than a day', { rules: [{ ...RULE, minutes: 1_441 }] }, '/rules/0/minutes'],
    [
      'more rules than 20',
      { rules: Array.from({ length: 21 }, (_, index) => ({ ...RULE, events: index + 1 })) },
      '/rules',
    ],
    ['the same rule twice', { rules: [RULE, { ...RULE, events: 11 }, { ...RULE }] }, '/rules/2'],
    ['the same rule under two names', { rules: [RULE, { ...RULE, name: 'x' }] }, '/rules/1'],
    ['an empty name', { rules: [{ ...RULE, name: ' ' }] }, '/rules/0/name'],
    ['a name of two lines', { rules: [{ ...RULE, name: 'a\nb' }] }, '/rules/0/name'],
    ['a long name', { rules: [{ ...RULE, name: 'x'.repeat(81) }] }, '/rules/0/name'],
    ['a share of nothing', { rules: [{ ...RULE, percent: 0 }] }, '/rules/0/percent'],
    ['a share of all', { rules: [{ ...RULE, percent: 100 }] }, '/rules/0/percent'],
    ['a share of itself', { rules: [{ ...RULE, severity: null, percent: 5 }] }, '/rules/0/percent'],
    ['no path', { rules: [{ ...RULE, field: { ...FIELD, path: [] } }] }, '/rules/0/field/path'],
    ['an empty key', { rules: [{ ...RULE, field: { ...FIELD, path: [''] } }] }, '/rules/0/field/path/0'],
    [
      'four keys',
      { rules: [{ ...RULE, field: { ...FIELD, path: ['a', 'b', 'c', 'd'] } }] },
      '/rules/0/field/path',
    ],
    [
      'an unknown operator',
      { rules: [{ ...RULE, field: { ...FIELD, operator: 'like' } }] },
      '/rules/0/field/operator',
    ],
    ['a list as value', { rules: [{ ...RULE, field: { ...FIELD, value: ['x'] } }] }, '/rules/0/field/value'],
    ['no value', { rules: [{ ...RULE, field: { ...FIELD, value: null } }] }, '/rules/0/field/value'],
    [
      'more than a text',
      { rules: [{ ...RULE, field: { ...FIELD, operator: 'greater' } }] },
      '/rules/0/field/value',
    ],
    [
      'a value that only has to exist',
      { rules: [{ ...RULE, field: { ...FIELD, operator: 'exists' } }] },
      '/rules/0/field/value',
    ],
    [
      'more than five rules about fields',
      { rules: Array.from({ length: 6 }, (_, index) => ({ ...RULE, field: FIELD, events: index + 1 })) },
      '/rules/5/field',
    ],
    ['the same rule twice but for what is ignored', { rules: [RULE, { ...RULE, note: 'x' }] }, '/rules/1'],
  ])('refuses detector settings with %s', async (_, change, pointer) => {
    const { path } = await create();
    expectInvalid(await owner.api.put(path, change), pointer);
    expect((await owner.api.get(path)).body).toEqual(DEFAULT_SETTINGS);
  });

  it('refuses detector settings with a NUL character', async () => {
    const { path } = await create();
    expectProblem(await owner.api.put(path, { rules: [{ ...RULE, type: 'a\0b' }] }), 'validation_failed');
  });

  it('applies concurrent changes of detector settings one after the other', async () => {
    const { path } = await create();
    const [budget, rules] = await Promise.all([
      owner.api.put(path, { budget: 3 }),
      owner.api.put(path, { rules: [] }),
    ]);
    expect([budget.status, rules.status]).toEqual([200, 200]);
    expect((await owner.api.get(path)).body).toEqual({ budget: 3, rules: [], newKinds: true });
  });

  it('lists changed detector settings to followers until the project is deleted', async () => {
    const { path, uuid, id } = await create();
    await owner.api.put(path, { budget: 4 });
    const all = await listRiskSettingsChangedSince(pool, new Date(0));
    const own = all.find(({ projectId }) => projectId === uuid);
    expect(own?.settings).toEqual({ ...DEFAULT_SETTINGS, budget: 4 });
    expect(own).toBe(all.at(-1));
    const since = own?.updatedAt ?? new Date(0);
    expect(await findNewestSettings(pool)).toEqual(since);
    const settingsOf = await listRiskSettingsOf(pool, [uuid]);
    expect(settingsOf).toEqual([{ projectId: uuid, settings: own?.settings }]);
    expect(await listRiskSettingsChangedSince(pool, since)).toEqual([own]);

    const other = await create();
    await owner.api.put(other.path, { budget: 5 });
    const next = await listRiskSettingsChangedSince(pool, since);
    expect(next.map(({ projectId }) => projectId)).toEqual([uuid, other.uuid]);

    await owner.api.delete(`/projects/${id}`);
    const left = await listRiskSettingsChangedSince(pool, since);
    expect(left.map(({ projectId }) => projectId)).toEqual([other.uuid]);
    expectProblem(await owner.api.get(path), 'not_found');
    expectProblem(await owner.api.put(path, { budget: 1 }), 'not_found');
  });
});
