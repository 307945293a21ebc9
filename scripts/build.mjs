import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compressFiles } from './compress-files.mjs';
import { SHARED_WITH_DASHBOARD } from './imports/rules.mjs';
import { installMissing, ROOT, run } from './install.mjs';
import { packSdk } from './pack-sdk.mjs';

/** Folder of the API reference's scripts in its package. */
const REFERENCE = '../node_modules/@scalar/fastify-api-reference/dist/js';

/** Packages that the server and the benchmarks need. */
const PACKAGES = ['detector', 'embedded-postgres', 'simulation'];

/** Parts of the build, each with its sources and its output. */
const PARTS = [
  ...PACKAGES.map((name) => ({
    name: `package ${name}`,
    directory: `packages/${name}`,
    output: 'dist',
    sources: ['src', 'package.json', 'tsconfig.build.json', '../../tsconfig.base.json'],
    build: () => run('tsc', ['-p', `packages/${name}/tsconfig.build.json`]),
  })),
  {
    name: 'server',
    directory: 'server',
    output: 'dist',
    sources: [
      'src',
      'tsconfig.build.json',
      '../tsconfig.base.json',
      ...PACKAGES.map((name) => `../packages/${name}/src`),
    ],
    build: () => run('tsc', ['-p', 'server/tsconfig.build.json']),
  },
  {
    // One file of a package with a dozen dependencies, which the service does not need.
    name: 'API reference',
    directory: 'server',
    output: 'reference',
    sources: [REFERENCE, '../scripts/compress-files.mjs'],
    build: () => {
      const output = path.join(ROOT, 'server/reference');
      cpSync(path.join(ROOT, 'server', REFERENCE), output, { recursive: true });
      compressFiles(output);
    },
  },
  {
    name: 'dashboard',
    directory: 'dashboard',
    output: 'dist',
    sources: [
      'src',
      'public',
      'index.html',
      'vite.config.ts',
      'preload-pages.ts',
      'chunk-groups.ts',
      '../scripts/compress-files.mjs',
      ...SHARED_WITH_DASHBOARD.map((file) => `../${file}`),
    ],
    // If the shell has `NODE_ENV=development`, libraries would be bundled in their far larger forms for developers.
    build: () => {
      run('vite', ['build', 'dashboard', '--config', 'dashboard/vite.config.ts', '--logLevel', 'warn'], {
        NODE_ENV: 'production',
      });
      for (const folder of ['dashboard/dist', 'dashboard/dist/assets'])
        compressFiles(path.join(ROOT, folder));
    },
  },
  {
    name: 'SDK',
    directory: 'sdk',
    output: 'dist',
    sources: ['src', 'package.json', 'tsconfig.json', 'tsdown.config.ts', 'README.md', 'LICENSE'],
    build: packSdk,
  },
];

/** Builds those of the packages, the server, the API reference, the dashboard and the SDK whose sources have changed since the last build. */
export function buildMissing() {
  for (const { name, directory, output: folder, sources, build } of PARTS) {
    const output = path.join(ROOT, directory, folder);
    const stamp = path.join(output, '.built-from');
    const wanted = describeSources(directory, sources);
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) continue;
    console.log(`Building the ${name}…`);
    rmSync(output, { recursive: true, force: true });
    build();
    writeFileSync(stamp, wanted);
  }
}

/**
 * Lists names, sizes and times of all inputs of a build, which reveals a change without reading them.
 * @param {string} directory
 * @param {string[]} sources
 */
function describeSources(directory, sources) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const start = path.join(ROOT, directory, source);
    const isDirectory = statSync(start).isDirectory();
    const files = isDirectory ? readdirSync(start, { recursive: true }).map(String).toSorted() : [''];
    for (const file of files) {
      const { size, mtimeMs } = statSync(path.join(start, file));
      hash.update(`${source}/${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  installMissing();
  buildMissing();
}
