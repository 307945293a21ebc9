import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installMissing, ROOT, run } from './install.mjs';

const STAMP = path.join(ROOT, 'server/dist/.built-from');

/** Builds the server where its sources have changed since the last build. */
export function buildMissing() {
  const wanted = describeSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.log('Building…');
  rmSync(path.join(ROOT, 'server/dist'), { recursive: true, force: true });
  run('tsc', ['-p', 'server/tsconfig.build.json']);
  writeFileSync(STAMP, wanted);
}

/** Names, sizes and times of all that goes into the build: enough to see a change, and quick. */
function describeSources() {
  const hash = createHash('sha256');
  const files = readdirSync(path.join(ROOT, 'server/src'), { recursive: true }).map(String).toSorted();
  for (const file of ['../tsconfig.build.json', '../../tsconfig.base.json', ...files]) {
    const { size, mtimeMs } = statSync(path.join(ROOT, 'server/src', file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  installMissing();
  buildMissing();
}
