import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const directory = await mkdtemp(path.join(os.tmpdir(), 'tocsin-lint-'));
afterAll(() => rm(directory, { recursive: true }));

/** The lines of a source that a rule refuses, with the options that the repository gives it. */
async function faultsOf(rule: string, source: string): Promise<number[]> {
  const { rules } = JSON.parse(await readFile(path.join(ROOT, '.oxlintrc.json'), 'utf8')) as {
    rules: Record<string, unknown>;
  };
  await cp(path.join(ROOT, 'scripts/lint'), path.join(directory, 'lint'), { recursive: true });
  const config = {
    jsPlugins: ['./lint/tocsin.mjs'],
    categories: { correctness: 'off' },
    rules: { [rule]: rules[rule] },
  };
  await writeFile(path.join(directory, 'config.json'), JSON.stringify(config));
  await writeFile(path.join(directory, 'source.ts'), source);
  const linter = path.join(ROOT, 'node_modules/.bin/oxlint');
  const { stdout } = spawnSync(linter, ['--config', 'config.json', '--format', 'json', 'source.ts'], {
    cwd: directory,
    encoding: 'utf8',
  });
  const report = JSON.parse(stdout) as { diagnostics: { labels: { span: { line: number } }[] }[] };
  return report.diagnostics
    .flatMap(({ labels }) => labels.map(({ span }) => span.line))
    .toSorted((left, right) => left - right);
}

describe('the rule against unbounded spreads', () => {
  it('refuses a spread array in a call or a constructor', async () => {
    const source = `
      export const least = (counts: number[]) => Math.min(...counts);
      export const all = (parts: string[], more: string[]) => parts.push('one', ...more.slice(1));
      export const set = (entries: [number, number][]) => new Array(...entries);
    `;
    expect(await faultsOf('tocsin/no-unbounded-spread', source)).toEqual([2, 3, 4]);
  });

  it('allows literal arrays, rest parameters, spreads outside of calls, and a stated bound', async () => {
    const source = `
      export const least = (a: number, b: number) => Math.min(...[a, b]);
      export const passOn = (...values: number[]) => Math.max(...values);
      export const copy = (values: number[]) => new Set([...values]);
      // oxlint-disable-next-line tocsin/no-unbounded-spread -- at most 20 rules
      export const largest = (rules: number[]) => Math.max(0, ...rules);
    `;
    expect(await faultsOf('tocsin/no-unbounded-spread', source)).toEqual([]);
  });
});

describe('the rule on titles of tests', () => {
  it('refuses a title that continues its describe or has fewer than three words', async () => {
    const source = `
      it('is refused with a wrong key', () => {});
      it('of a few is none', async () => {});
      it.each([1, 2])('that is %i', () => {});
      it('refuses keys', () => {});
    `;
    expect(await faultsOf('tocsin/test-title', source)).toEqual([2, 3, 4, 5]);
  });

  it('allows a title that says what the program does, and calls that are no tests', async () => {
    const source = `
      describe('a key', () => {
        it('refuses a key that was revoked', () => {});
        it.each([1, 2])('accepts %i keys of a project', () => {});
        expectIn('is no title', () => {});
      });
    `;
    expect(await faultsOf('tocsin/test-title', source)).toEqual([]);
  });
});

describe('the rule on positional parameters', () => {
  it('refuses functions, methods and constructors with more than four', async () => {
    const source = `
      export function add(a: number, b: number, c: number, d: number, e: number) { return a + b + c + d + e; }
      export const join = (a: string, b: string, c: string, d: string, e = '') => a + b + c + d + e;
      export class Sum {
        constructor(readonly a: number, b: number, c: number, d: number, e?: number) {}
        *add(a: number, b: number, c: number, d: number, ...more: number[]) {}
      }
    `;
    expect(await faultsOf('max-params', source)).toEqual([2, 3, 5, 6]);
  });

  it('allows four of them, one of which holds named values', async () => {
    const source = `
      export function add(a: number, b: number, c: number, { d, e }: { d: number; e: number }) {
        return a + b + c + d + e;
      }
    `;
    expect(await faultsOf('max-params', source)).toEqual([]);
  });
});
