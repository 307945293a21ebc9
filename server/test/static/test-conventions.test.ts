import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ISOLATED_TESTS } from '../../../scripts/isolated-tests.mjs';
import { ROOT } from '../support/documents.ts';

/** Files by their path from the root that a rule exempts, each with its reason. */
type Exceptions = Readonly<Record<string, string>>;

const READS_TIME: Exceptions = {
  'server/src/notifications/channels/attempt.test.ts': 'The package of Standard Webhooks has its own clock.',
  'server/src/notifications/channels/webhook/webhook.test.ts':
    'The package of Standard Webhooks has its own clock.',
  'server/test/management/built-preview.test.ts': 'The built program has the clock of the system.',
  'server/test/processing/support.ts': 'A queued event has the present time unless a test names another.',
  'server/test/support/clock.ts': 'The clocks of tests begin at the present time, which the database shares.',
  'server/test/support/push-server.ts': 'A push service has its own clock.',
};

const REPLACES_SHARED: Exceptions = {
  'dashboard/test/browser-notifications.test.ts': 'The prototype is that of a page.',
  ...Object.fromEntries(ISOLATED_TESTS.map((file) => [file, 'It runs in a process of its own.'])),
  'sdk/test/support/console.ts': 'The function is put back at the end of each test.',
  'server/test/cli/log-output.test.ts': 'The listener is that of a program which the test writes.',
  'server/test/support/leaks.test.ts': 'The listener is taken off at the end of the test.',
  'server/test/support/push-server.ts': 'The variable is deleted at the end of the file.',
  'server/test/support/time-scale.ts': 'The set-up of a run measures once, for all workers.',
};

/** Support files that vitest itself runs before each file. */
const HOOKS_EACH_FILE: Exceptions = {
  'server/test/support/check-leaks.ts': 'It is a set-up file of vitest.',
};

/** Hooks at the top level: a support file is evaluated once in a process, so they would be those of its first test file. */
const TOP_LEVEL_HOOK = /^(?:after|before)(?:All|Each)\(/;

const TIME = /\bDate\.now\b|\bnew Date\(\)/;

/** Calls and assignments that the other files of a process would see. */
const SHARED: readonly RegExp[] = [
  /\bvi\s*\.(?:useFakeTimers|setSystemTime|stubEnv|stubGlobal|mock|doMock|hoisted|spyOn)\b/,
  /\bprocess\.env(?:\.\w+|\[[^\]]+\])?\s*(?:\?\?|\|\|)?=(?!=)/,
  /\bdelete process\.env\b/,
  /\bObject\.(?:assign|defineProperty|defineProperties)\(\s*(?:process|globalThis|[A-Z]\w*\.prototype|console)\b/,
  /\bglobalThis(?:\.\w+|\[[^\]]+\])\s*(?:\?\?|\|\|)?=(?!=)/,
  /\b[A-Z]\w*\.prototype(?:\.\w+|\[[^\]]+\])\s*=(?!=)/,
  /\bprocess\.(?:on|once|addListener|prependListener)\(/,
];

/** Returns `file:line: text` for each line that a pattern finds, except in exempt files. */
function findBreaches(
  { file, text }: { file: string; text: string },
  patterns: readonly RegExp[],
  exceptions: Exceptions,
): string[] {
  if (file in exceptions) return [];
  return text
    .split('\n')
    .flatMap((line, index) =>
      patterns.some((pattern) => pattern.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
    );
}

const FOLDERS = [
  'bench',
  'dashboard/src',
  'dashboard/test',
  'packages',
  'sdk/test',
  'server/src',
  'server/test',
];
/** Files that only tests use; benchmarks are programs. */
const IS_OF_TESTS =
  /\.test\.tsx?$|\/testing\.ts$|^(?:dashboard|sdk|server)\/test\/.*\.ts$|^packages\/.*\/test\/.*\.ts$/;
const IS_LEFT_OUT = /(?:^|\/)(?:node_modules|dist)\/|^server\/test\/static\//;

const files = (
  await Promise.all(
    FOLDERS.map(async (folder) =>
      (
        await readdir(path.join(ROOT, folder), { recursive: true })
      ).map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/'))),
    ),
  )
)
  .flat()
  .filter((file) => IS_OF_TESTS.test(file) && !IS_LEFT_OUT.test(file));
const sources = await Promise.all(
  files.map(async (file) => ({ file, text: await readFile(path.join(ROOT, file), 'utf8') })),
);

/** Exceptions whose file breaks no rule, or is gone. */
const unneeded = (exceptions: Exceptions, patterns: readonly RegExp[]) =>
  Object.keys(exceptions).filter(
    (file) =>
      !sources.some((source) => source.file === file && findBreaches(source, patterns, {}).length > 0),
  );

describe('the rules of CONTRIBUTING.md on the time of tests', () => {
  it('finds no test that reads the time of day, but those with a reason', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(sources.flatMap((source) => findBreaches(source, [TIME], READS_TIME))).toEqual([]);
    expect(unneeded(READS_TIME, [TIME])).toEqual([]);
  });

  it.each([
    'const at = new Date(Date.now() - 60_000);',
    'const at = new Date();',
    'const now = Date.now;',
    'insert({ receivedAt: new Date().toISOString() });',
  ])('refuses a planted reading of the time of day: %s', (line) => {
    const planted = { file: 'server/test/planted.test.ts', text: `const a = 1;\n${line}` };
    expect(findBreaches(planted, [TIME], READS_TIME)).toEqual([`server/test/planted.test.ts:2: ${line}`]);
  });

  it('allows times that are computed from a clock or written out', () => {
    const text = "new Date(clock.now());\nnew Date('2026-01-01');\nDate.UTC(2026, 0);\nupdateNow();";
    expect(findBreaches({ file: 'server/test/planted.test.ts', text }, [TIME], READS_TIME)).toEqual([]);
  });
});

describe('the rules of CONTRIBUTING.md on what tests share', () => {
  it('finds no test outside of the isolated ones that replaces what others of its process use', () => {
    expect(sources.flatMap((source) => findBreaches(source, SHARED, REPLACES_SHARED))).toEqual([]);
    expect(unneeded(REPLACES_SHARED, SHARED)).toEqual([]);
  });

  it.each([
    'vi.useFakeTimers();',
    'vi.setSystemTime(0);',
    "vi.stubEnv('TMPDIR', directory);",
    "vi.stubGlobal('WebSocket', FakeSocket);",
    "vi.mock('node:dns/promises');",
    "vi.doMock('node:dns/promises');",
    'const held = vi.hoisted(() => []);',
    "const losses = vi.spyOn(console, 'error');",
    "process.env.TMPDIR = '/tmp';",
    "process.env['TMPDIR'] ??= '/tmp';",
    'process.env = {};',
    'delete process.env.TMPDIR;',
    "Object.assign(process.env, { TMPDIR: '/tmp' });",
    'globalThis.fetch = answer;',
    "globalThis['fetch'] = answer;",
    "Object.defineProperty(globalThis, 'navigator', { value: null });",
    'Array.prototype.at = () => 1;',
    "process.on('unhandledRejection', note);",
    "process.once('SIGTERM', stop);",
  ])('refuses a planted change of what is shared: %s', (line) => {
    const planted = { file: 'server/src/planted.test.ts', text: line };
    expect(findBreaches(planted, SHARED, REPLACES_SHARED)).toEqual([`server/src/planted.test.ts:1: ${line}`]);
    const [isolated = ''] = ISOLATED_TESTS;
    expect(findBreaches({ file: isolated, text: line }, SHARED, REPLACES_SHARED)).toEqual([]);
  });

  it('allows functions of a test, and what reads the environment', () => {
    const text = [
      'const run = vi.fn();',
      'await vi.waitFor(() => expect(lines).toHaveLength(1));',
      "if (process.env.SCREENSHOTS === '1') takePictures();",
      'const usual = globalThis.fetch;',
      'const { query } = pg.Client.prototype;',
    ].join('\n');
    expect(findBreaches({ file: 'server/src/planted.test.ts', text }, SHARED, REPLACES_SHARED)).toEqual([]);
  });
});

describe('the rules of CONTRIBUTING.md on hooks', () => {
  const isSupport = ({ file }: { file: string }) => !/\.test\.tsx?$/.test(file);

  it('finds no hook at the top level of a support file', () => {
    const support = sources.filter(isSupport);
    expect(support.flatMap((source) => findBreaches(source, [TOP_LEVEL_HOOK], HOOKS_EACH_FILE))).toEqual([]);
    expect(unneeded(HOOKS_EACH_FILE, [TOP_LEVEL_HOOK])).toEqual([]);
  });

  it('refuses a planted hook of a support file, and allows one that a function registers', () => {
    const text = 'afterAll(close);\nfunction start() {\n  afterAll(close);\n}';
    const planted = { file: 'server/test/support/planted.ts', text };
    expect(findBreaches(planted, [TOP_LEVEL_HOOK], HOOKS_EACH_FILE)).toEqual([
      'server/test/support/planted.ts:1: afterAll(close);',
    ]);
  });
});
