import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

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

/** A literal that is passed to `query`, directly or as `text`, and reads or writes a table. */
const SQL_ON_TABLES =
  /(?:\.query(?:<[^;]*?>)?\(|text:)\s*[`'"]\s*(?:WITH|SELECT\b[^`'"]*\bFROM|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|LOCK|COPY)\b/g;

/** A function that runs on a database, exported for others. */
const QUERY_FUNCTION =
  /^export (?:async )?function (\w+)(?:<[^(]*>)?\(\s*(?:database|transaction|client|pool)\b/gm;

describe('the rules of CONTRIBUTING.md on SQL', () => {
  it('finds SQL on tables in queries.ts and …-queries.ts alone', () => {
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

/** Lists all sources of a workspace by their path from the root, without those that only tests use. */
async function listSources(...folders: string[]): Promise<Source[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const files = await readdir(path.join(ROOT, folder), { recursive: true });
      return files
        .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(?:^|\/)testing\.ts$/.test(file))
        .map(async (file) => ({
          file: path.posix.join(folder, file.replaceAll(path.sep, '/')),
          text: await readFile(path.join(ROOT, folder, file), 'utf8'),
        }));
    }),
  );
  return Promise.all(found.flat());
}

const PROGRAM = [
  'server/src',
  'packages/detector/src',
  'packages/embedded-postgres/src',
  'packages/simulation/src',
];

describe('the rules of CONTRIBUTING.md on tests', () => {
  it('starts a service in the body of a file or a describe, in no hook', async () => {
    const files = await Promise.all(
      ['server/test', 'dashboard/test'].map(async (folder) =>
        (await readdir(path.join(ROOT, folder), { recursive: true }))
          .filter((file) => file.endsWith('.test.ts'))
          .map((file) => path.join(folder, file)),
      ),
    );
    const startsInHook = /before(?:All|Each)\((?:(?!\n {0,2}\}).)*startTestService\(/s;
    const sample = (hook: string) => `${hook}(async () => {\n  service = await startTestService();\n});`;
    expect(['beforeAll', 'beforeEach', 'describe'].map((hook) => startsInHook.test(sample(hook)))).toEqual([
      true,
      true,
      false,
    ]);
    const hooks: string[] = [];
    for (const file of files.flat()) {
      if (startsInHook.test(await readFile(path.join(ROOT, file), 'utf8'))) hooks.push(file);
    }
    expect(hooks).toEqual([]);
  });
});

describe('the rules of CONTRIBUTING.md on sources', async () => {
  const program = await listSources(...PROGRAM);
  const all = [...program, ...(await listSources('dashboard/src', 'sdk/src'))];
  const filesWith = (pattern: RegExp) =>
    program.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  it('lets one file read the environment', () => {
    // A comment of `config.ts` names a variable that it does not read.
    const readers = program.filter(({ text }) => /(?<!`)\bprocess\.env\b/.test(text)).map(({ file }) => file);
    expect(readers).toEqual(['server/src/main.ts']);
  });

  it('leaves no switch for tests in the program', () => {
    expect(filesWith(/\b(?:NODE_ENV|VITEST)\b/)).toEqual([]);
  });

  it('lets one file read the time of day', () => {
    expect(filesWith(/\bDate\.now\b|\bnew Date\(\)/)).toEqual(['server/src/platform/clock.ts']);
  });

  it('makes every answer 503 in one file, whose callers are its causes', () => {
    expect(filesWith(/new ApiError\(\s*'unavailable'/)).toEqual(['server/src/platform/unavailable.ts']);
  });

  it('keeps nine files in ten under 200 lines', () => {
    const long = all.filter(({ text }) => text.split('\n').length > 200);
    expect(long.length).toBeLessThan(all.length / 10);
  });

  it('keeps at most 30 sources in a folder', () => {
    const counts = new Map<string, number>();
    for (const { file } of all) {
      const folder = path.posix.dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 30)).toEqual([]);
  });

  it('pins every dependency exactly', async () => {
    const { workspaces } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
      workspaces: string[];
    };
    for (const workspace of ['.', ...workspaces]) {
      const manifest = JSON.parse(
        await readFile(path.join(ROOT, workspace, 'package.json'), 'utf8'),
      ) as Record<string, Record<string, string> | undefined>;
      const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
        Object.values(manifest[kind] ?? {}),
      );
      expect(
        versions.filter((version) => !/^(?:npm:@?[\w/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)),
        workspace,
      ).toEqual([]);
    }
  });
});
