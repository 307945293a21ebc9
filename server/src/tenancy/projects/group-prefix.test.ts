import { expect, it } from 'vitest';
import { deriveGroupPrefix, isGroupPrefix, replacePrefix, toGroupPrefix } from './group-prefix.ts';

const taken = (...prefixes: string[]) =>
  prefixes.map((groupPrefix) => ({ groupPrefix, formerGroupPrefixes: [] as string[] }));

it.each([
  ['Web shop', 'WEB-SHOP'],
  ['  Café №5 / EU ', 'CAFE-NO5-EU'],
  ['shop-stg', 'SHOP-STG'],
  ['Straße', 'STRASSE'],
  ['漢字', '漢字'],
  ['🚀 …', ''],
])('turns “%s” into the prefix “%s”', (text, prefix) => {
  expect(toGroupPrefix(text)).toBe(prefix);
});

it('gives a new project a prefix by its name, and by environment or number if another has or had it', () => {
  const staging = { name: 'Storefront', environment: 'staging' } as const;
  expect(deriveGroupPrefix(staging, taken('SHOP'))).toBe('STOREFRONT');
  expect(deriveGroupPrefix(staging, taken('STOREFRONT'))).toBe('STOREFRONT-STG');
  expect(deriveGroupPrefix(staging, taken('STOREFRONT', 'STOREFRONT-STG'))).toBe('STOREFRONT2');
  const renamed = { groupPrefix: 'WEB', formerGroupPrefixes: ['STOREFRONT'] };
  expect(deriveGroupPrefix(staging, [renamed])).toBe('STOREFRONT-STG');
});

it('gives a prefix to any name, at most ten letters of it and no hyphen at the end', () => {
  const of = (name: string) => deriveGroupPrefix({ name, environment: 'production' }, taken('GROUP'));
  expect(of('Warehouse of the north')).toBe('WAREHOUSE');
  expect(of('🚀')).toBe('GROUP-PROD');
  expect(of('𝔸'.repeat(30))).toBe('A'.repeat(10));
});

it('keeps the last ten former prefixes, none of which is the present one', () => {
  let project = { groupPrefix: 'P0', formerGroupPrefixes: [] as string[] };
  for (let number = 1; number <= 12; number++) project = replacePrefix(project, `P${number}`);
  expect(project.formerGroupPrefixes).toEqual(['P11', 'P10', 'P9', 'P8', 'P7', 'P6', 'P5', 'P4', 'P3', 'P2']);
  project = replacePrefix(project, 'P10');
  expect(project).toMatchObject({
    groupPrefix: 'P10',
    formerGroupPrefixes: expect.not.arrayContaining(['P10']),
  });
  expect(project.formerGroupPrefixes[0]).toBe('P12');
});

it('allows prefixes of 1 to 20 characters', () => {
  expect(['', 'A', '𝔸'.repeat(20), 'A'.repeat(21)].map(isGroupPrefix)).toEqual([false, true, true, false]);
});
