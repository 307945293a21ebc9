import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Source {
  file: string;
  text: string;
}

const sources: Source[] = [];
let contributing = '';

beforeAll(async () => {
  contributing = await readFile(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const folder = path.join(ROOT, 'server/src');
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    sources.push({ file, text: await readFile(path.join(folder, file), 'utf8') });
  }
});

const isQueries = ({ file }: Source) => /(?:^|[/-])queries\.ts$/.test(file);

/** A literal that is handed to `query`, at once or as `text`, and reads or writes a table. */
const SQL_ON_TABLES =
  /(?:\.query(?:<[^;]*?>)?\(|text:)\s*[`'"]\s*(?:WITH|SELECT\b[^`'"]*\bFROM|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|LOCK|COPY)\b/g;

/** A function that runs on a database, exported for others. */
const QUERY_FUNCTION =
  /^export (?:async )?function (\w+)(?:<[^(]*>)?\(\s*(?:database|transaction|client|pool)\b/gm;

describe('the rules of CONTRIBUTING.md on SQL', () => {
  it('find SQL on tables in queries.ts and …-queries.ts alone', () => {
    const elsewhere = sources
      .filter((source) => !isQueries(source) && !source.file.includes('embedded-postgres'))
      .flatMap(({ file, text }) => [...text.matchAll(SQL_ON_TABLES)].map(([sql]) => `${file}: ${sql}`));
    expect(elsewhere).toEqual([]);
    expect(sources.filter(isQueries).some(({ text }) => SQL_ON_TABLES.test(text))).toBe(true);
  });

  it('holds each exported query to one of the verbs that CONTRIBUTING.md lists', () => {
    const [rule = ''] = /All SQL on tables[^]*?where the connection is\./.exec(contributing) ?? [];
    const verbs = [...rule.matchAll(/`([a-z]+)…`/g)].map(([, verb = '']) => verb);
    expect(verbs).toContain('find');
    const others = sources
      .filter(isQueries)
      .flatMap(({ file, text }) =>
        [...text.matchAll(QUERY_FUNCTION)].map(([, name = '']) => ({ file, name })),
      )
      .filter(({ name }) => !verbs.some((verb) => new RegExp(`^${verb}[A-Z]`).test(name)));
    expect(others).toEqual([]);
  });
});
