import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scaled } from '../../server/test/support/time-scale.ts';
import { API_KEY } from './support/client.ts';
import { startIngestion } from './support/fake-ingestion.ts';

const sdk = fileURLToPath(new URL('..', import.meta.url));
/** The package as the build packs it. */
const tarball = join(sdk, 'dist/sdk.tgz');
const MAX_CORE_BYTES = 8_192;
const TIMEOUT_MS = scaled(120_000);

/** The package as npm would publish it, unpacked into an empty project. */
describe('the published package', { timeout: TIMEOUT_MS }, () => {
  let workspace: string;
  let project: string;
  let installed: string;

  beforeAll(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'tocsin-sdk-'));
    project = join(workspace, 'project');
    installed = join(project, 'node_modules', '@tocsin', 'sdk');
    await mkdir(installed, { recursive: true });
    await runProgram('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'], workspace);
  }, TIMEOUT_MS);

  afterAll(() => rm(workspace, { recursive: true, force: true }));

  it.each([
    ['import-named.mjs', `import { Tocsin } from '@tocsin/sdk';`],
    ['import-default.mjs', `import Tocsin from '@tocsin/sdk';`],
    ['require-named.cjs', `const { Tocsin } = require('@tocsin/sdk');`],
    ['require-default.cjs', `const Tocsin = require('@tocsin/sdk').default;`],
  ])('delivers before the process exits when it is loaded as in %s', async (name, load) => {
    const ingestion = await startIngestion();
    const script = `${load}
      const tocsin = new Tocsin({ apiKey: '${API_KEY}', baseUrl: '${ingestion.baseUrl}' });
      tocsin.capture({ type: 'started', severity: 'info', message: 'not awaited' });
      tocsin.captureError(new Error('awaited')).then((result) => console.log(JSON.stringify(result)));`;
    await writeFile(join(project, name), script);
    const output = await run(join(project, name), [], project);
    expect(JSON.parse(output)).toMatchObject({ status: 'queued' });
    expect(ingestion.paths().sort()).toEqual(['/ingest/events', '/ingest/server-error']);
  });

  it('ships a core of at most 8 kB gzipped that runs on every runtime', async () => {
    for (const file of ['index.mjs', 'index.cjs']) {
      const code = await readFile(join(installed, 'dist', file), 'utf8');
      expect(gzipSync(code).byteLength).toBeLessThanOrEqual(MAX_CORE_BYTES);
      expect(code).not.toMatch(
        /\bnode:|\brequire\(|\bimport\b|\bprocess\.|\bBuffer\b|\b(set|clear)Immediate\b|\bwindow\b/,
      );
    }
  });

  it('types the client for consumers of both module systems', async () => {
    const code = (load: string): string => `${load}
      const tocsin = new Tocsin({ apiKey: 'k' });
      const result: Promise<{ jobId: string; status: string } | null> = tocsin.capture({ type: 'a', severity: 'warn', message: 'b' });
      // @ts-expect-error: the library takes lowercase severities
      void tocsin.capture({ type: 'a', severity: 'WARN', message: 'b' });
      void result.then(() => tocsin.stats().lost.network + 1);`;
    await writeFile(join(project, 'typed.mts'), code(`import Tocsin from '@tocsin/sdk';`));
    await writeFile(join(project, 'typed.cts'), code(`import { Tocsin } from '@tocsin/sdk';`));
    // Neither the DOM's types nor Node's: those of the package must suffice.
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022'];
    await run(await binary('typescript', 'tsc'), [...options, 'typed.mts', 'typed.cts'], project);
  });

  it('passes publint as a published package', async () => {
    await run(await binary('publint'), ['run', installed, '--strict'], installed);
  });

  it('passes attw as a published package', async () => {
    await run(await binary('@arethetypeswrong/cli', 'attw'), [tarball, '--no-definitely-typed'], workspace);
  });
});

/** @returns the output of a Node program; a failure has all of its output */
function run(script: string, args: string[], cwd: string): Promise<string> {
  return runProgram(process.execPath, [script, ...args], cwd);
}

async function runProgram(program: string, args: string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Returns the script of a command of one of the package's tools, wherever npm put it. */
async function binary(packageName: string, command = packageName): Promise<string> {
  const manifest = findManifest(packageName);
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: string | Record<string, string> };
  const script = typeof bin === 'string' ? bin : bin[command];
  if (script === undefined) throw new Error(`${packageName} has no command ${command}`);
  return join(dirname(manifest), script);
}

function findManifest(packageName: string): string {
  const require = createRequire(join(sdk, 'package.json'));
  for (const folder of require.resolve.paths(packageName) ?? []) {
    try {
      return require.resolve(join(folder, packageName, 'package.json'));
    } catch {
      // It may be in a parent folder.
    }
  }
  throw new Error(`${packageName} is not installed`);
}
