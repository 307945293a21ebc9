import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDirectory } from './places.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

it('packs all that the server serves, with our own packages and licences, and nothing of the sources', async () => {
  const directory = await temporaryDirectory();
  const { version } = JSON.parse(await readFile(path.join(ROOT, 'server/package.json'), 'utf8')) as {
    version: string;
  };
  const tarball = path.join(directory, `tocsin-${version}.tgz`);
  await run(process.execPath, ['scripts/pack.mjs', directory], { cwd: ROOT });
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const files = stdout.trimEnd().split('\n');
  for (const file of [
    'LICENSE',
    'NOTICE',
    'CHANGELOG.md',
    'README.md',
    'package.json',
    'server/package.json',
    'server/bin/tocsin.js',
    'server/dist/main.js',
    'server/lists/clients.json',
    'server/lists/common-passwords.txt',
    'server/migrations/0001_first_release.sql',
    'server/public/docs/index.html',
    'server/public/docs/reference/index.html',
    'server/reference/standalone.js.br',
    'dashboard/dist/index.html',
    'sdk/dist/sdk.tgz',
    'node_modules/@tocsin/detector/dist/index.js',
    'node_modules/@tocsin/embedded-postgres/dist/index.js',
  ])
    expect(files).toContain(`package/${file}`);
  expect(files.filter((file) => /\.(ts|map)$|\/test\/|\.built-from$/.test(file))).toEqual([]);
  const { stdout: manifest } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
  expect(JSON.parse(manifest)).toMatchObject({
    version,
    bin: { tocsin: 'server/bin/tocsin.js' },
    bundleDependencies: ['@tocsin/detector', '@tocsin/embedded-postgres'],
  });
});
