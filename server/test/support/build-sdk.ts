import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds the SDK as it is published, unless the last build is newer than its sources. */
export async function buildSdk(): Promise<void> {
  const built = await stat(path.join(ROOT, 'sdk/dist/index.mjs')).catch(() => null);
  if (built && built.mtimeMs > (await newestSourceMs())) return;
  await promisify(execFile)('npm', ['run', 'build', '--workspace=@tocsin/sdk'], { cwd: ROOT });
}

async function newestSourceMs(): Promise<number> {
  const directory = path.join(ROOT, 'sdk/src');
  const files = await readdir(directory, { recursive: true });
  const times = await Promise.all(
    [...files, '../package.json', '../tsdown.config.ts'].map(
      async (file) => (await stat(path.join(directory, file))).mtimeMs,
    ),
  );
  return Math.max(...times);
}
