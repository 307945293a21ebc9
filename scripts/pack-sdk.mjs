import { renameSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, readJson, run } from './install.mjs';

/**
 * Builds the client library, and packs it as the tarball that the service serves. npm writes neither times nor owners into a
 * tarball: the same sources are the same bytes.
 */
export function packSdk() {
  const output = path.join(ROOT, 'sdk/dist');
  run('npm', ['run', 'build', '--workspace=@tocsin/sdk', '--silent']);
  run('npm', ['pack', './sdk', '--pack-destination', output, '--ignore-scripts', '--silent']);
  renameSync(
    path.join(output, `tocsin-sdk-${readJson('sdk/package.json').version}.tgz`),
    path.join(output, 'sdk.tgz'),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) packSdk();
