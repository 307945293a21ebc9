import { describe, expect, it } from 'vitest';
import { replaceTables } from './notes.ts';

const NOTES = `# Notes

| Stream | Found |
|--------|-------|
| slow   | 1     |
| fast   | 2     |

Both are found.

| What | Measured |
| ---- | -------- |
| CPU  | 1        |`;

describe('the notes of an evaluation', () => {
  it('replaces the table with the same head, however it is padded, and nothing else', () => {
    const lines = ['| Stream  | Found |', '|---------|-------|', '| slowest | 3     |'];
    const { notes, withoutPlace } = replaceTables(NOTES, [{ title: 'Streams', lines }]);
    expect(notes).toBe(NOTES.replace(/\| Stream \|[^]*?(?=\n\nBoth)/, () => lines.join('\n')));
    expect(withoutPlace).toEqual([]);
  });

  it('replaces a table that ends the notes', () => {
    const lines = ['| What | Measured |', '|------|----------|', '| RAM  | 2        |'];
    const { notes } = replaceTables(NOTES, [{ title: 'Cost', lines }]);
    expect(notes.split('\n').slice(-4)).toEqual(['', ...lines]);
  });

  it('names the tables without a place: of an unknown head, and of one that is printed twice', () => {
    const twice = ['| What | Measured |', '|------|----------|', '| RAM  | 2        |'];
    const tables = [
      { title: 'Cost', lines: twice },
      { title: 'Cost of live series', lines: twice },
      { title: 'Other', lines: ['| Other |', '|-------|'] },
    ];
    expect(replaceTables(NOTES, tables)).toEqual({
      notes: NOTES,
      withoutPlace: ['Cost', 'Cost of live series', 'Other'],
    });
  });
});
