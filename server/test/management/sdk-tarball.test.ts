import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../cli/places.ts';
import { startTestService } from '../support/service.ts';

const SDK = fileURLToPath(new URL('../../../sdk', import.meta.url));
const run = promisify(execFile);

describe("the SDK's tarball", async () => {
  const service = await startTestService();
  const address = `${service.managementUrl}/sdk.tgz`;

  it("serves the SDK's tarball as it was built, without a login, and never compresses it again", async () => {
    const built = await readFile(path.join(SDK, 'dist/sdk.tgz'));
    for (const coding of ['br', 'gzip', 'identity']) {
      const answer = await fetch(address, { headers: { 'accept-encoding': coding } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/gzip');
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(Buffer.from(await answer.arrayBuffer()).equals(built)).toBe(true);
    }
  });

  it('answers 304 to a client that has the tarball', async () => {
    const etag = (await fetch(address)).headers.get('etag') ?? '';
    const again = await fetch(address, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(etag);
    expect(await again.text()).toBe('');
    expect((await fetch(address, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
  });

  it('packs the same bytes from the same files, whatever their times and their folder are', async () => {
    const directory = await temporaryDirectory();
    const copy = path.join(directory, 'copy');
    const { files } = JSON.parse(await readFile(path.join(SDK, 'package.json'), 'utf8')) as {
      files: string[];
    };
    expect(files).toEqual(['dist/index.*']);
    for (const file of ['package.json', 'README.md', 'LICENSE', 'dist'])
      await cp(path.join(SDK, file), path.join(copy, file), { recursive: true });
    await utimes(path.join(copy, 'dist/index.mjs'), 1_000_000_000, 1_000_000_000);
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', directory], { cwd: copy });
    const packed = await readFile(path.join(directory, stdout.trim()));
    expect(packed.equals(await readFile(path.join(SDK, 'dist/sdk.tgz')))).toBe(true);
  });

  it('installs from the service alone, for import and for require', async () => {
    const directory = await temporaryDirectory();
    const app = path.join(directory, 'app');
    await mkdir(app);
    await writeFile(path.join(app, 'package.json'), '{"private": true}\n');
    const options = ['--registry=http://127.0.0.1:9', '--fetch-retries=0', '--no-audit', '--no-fund'];
    await run('npm', ['install', address, ...options, '--cache', path.join(directory, 'cache')], {
      cwd: app,
    });
    const load = {
      'app.mjs': `import { Tocsin } from '@tocsin/sdk';`,
      'app.cjs': `const { Tocsin } = require('@tocsin/sdk');`,
    };
    for (const [name, line] of Object.entries(load)) {
      await writeFile(
        path.join(app, name),
        `${line}\nconsole.log(new Tocsin({ apiKey: 'k' }).stats().sent);`,
      );
      expect((await run(process.execPath, [name], { cwd: app })).stdout).toBe('0\n');
    }
  });
});
