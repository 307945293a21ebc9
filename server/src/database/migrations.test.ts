import { describe, expect, it } from 'vitest';
import { parseMigration, readMigrations } from './migrations.ts';

describe('a migration', () => {
  it('names the oldest program that goes on serving after it', async () => {
    expect(parseMigration('0042_labels.sql', '-- min_program: 41\nSELECT 1').minProgram).toBe(41);
    for (const { version, minProgram } of await readMigrations()) {
      expect(minProgram).toBeGreaterThanOrEqual(1);
      expect(minProgram).toBeLessThanOrEqual(version);
    }
  });

  it('refuses a migration without min_program, or with that of a later schema', () => {
    for (const sql of [
      'SELECT 1',
      '-- Labels.\n-- min_program: 41\n',
      '-- min_program: 43\n',
      '-- min_program: 0\n',
    ]) {
      expect(() => parseMigration('0042_labels.sql', sql)).toThrow(/first line of 0042_labels.sql must be/);
    }
  });
});
