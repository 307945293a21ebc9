import { expect, it } from 'vitest';
import { changedFields, pick } from './changed-fields.ts';

const before = { id: 1, name: 'Shop', rules: [{ type: 'login', minutes: 5 }], budget: 1 };

it('compares fields by their values, however deep, and only those that are named', () => {
  const same = { ...before, id: 2, rules: [{ type: 'login', minutes: 5 }] };
  expect(changedFields(before, same, ['name', 'rules', 'budget'])).toEqual([]);
  const changed = { ...before, name: 'Site', rules: [{ type: 'login', minutes: 6 }] };
  expect(changedFields(before, changed, ['name', 'rules', 'budget'])).toEqual(['name', 'rules']);
});

it('picks the named fields and no others', () => {
  expect(pick(before, ['name', 'budget'])).toEqual({ name: 'Shop', budget: 1 });
});
