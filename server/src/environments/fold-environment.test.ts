import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldEnvironment } from './fold-environment.ts';

it.each([
  ['production', ['production', 'prod', 'live', ' PROD ', 'Live\n', 'Production']],
  ['staging', ['staging', 'stage', 'stg', 'preprod', 'STG']],
  ['development', ['development', 'dev', 'local', 'test', 'Test']],
  ['eu-west', ['eu-west', ' EU-West']],
])('folds the spellings of %s to one name', (name, spellings) => {
  for (const spelling of spellings) expect(foldEnvironment(spelling)).toBe(name);
});

it('finds no environment in a blank text', () => {
  for (const blank of ['', ' ', '\t\n']) expect(foldEnvironment(blank)).toBeUndefined();
});

it('folds a folded name to itself, and bounds its length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
      const name = foldEnvironment(text);
      if (name === undefined) return;
      expect(Array.from(name).length).toBeLessThanOrEqual(64);
      expect(name.isWellFormed()).toBe(true);
      expect(foldEnvironment(name)).toBe(name);
    }),
  );
});
