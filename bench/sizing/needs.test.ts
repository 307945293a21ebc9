import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { namesOf, type PathName, tableOfNeeds } from './needs.ts';

const DOCUMENT = fileURLToPath(new URL('../../docs/sizing.md', import.meta.url));
const PATHS: PathName[] = ['by itself', 'in bodies of 500'];
const printed = (figure: string) =>
  PATHS.flatMap((one) => Object.values(namesOf(one)).map((what) => `| ${what} | ${figure} | – |  | |`)).join(
    '\n',
  );

describe('the needs of an installation', () => {
  it('computes the table of docs/sizing.md from the constants that stand there', () => {
    const document = readFileSync(DOCUMENT, 'utf8');
    expect(document).toContain(`\n${tableOfNeeds(document)}\n`);
  });

  it('takes half of each core, backend and process, and a week of disk beyond the retention', () => {
    const table = tableOfNeeds(printed('50.0 µs'));
    expect(table).toContain(
      '| 10,000 (860 M) | by itself | 1 process | 1 | 1 core | 2 cores | 0.5 MB/s | 19 TB | 86 TB |',
    );
    expect(table).toContain(
      '| 1,000,000 (86 G) | in bodies of 500 | 100 processes | 100 | 100 cores | 200 cores | 50 MB/s |',
    );
  });

  it('reads figures of a thousand and more, and refuses a table without one of its rows', () => {
    expect(tableOfNeeds(printed('1,100 B'))).toContain('| 1.1 MB/s |');
    expect(() => tableOfNeeds(printed('50.0 µs').replace('by itself, stored', 'stored'))).toThrow(
      'There is no row',
    );
  });
});
