import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildMissing } from './build.mjs';
import { ROOT, readJson, run } from './install.mjs';

/** Files of the server's package, at the same paths as in the repository. */
const FILES = [
  'LICENSE',
  'NOTICE',
  'CHANGELOG.md',
  'server/package.json',
  'server/bin',
  'server/dist',
  'server/lists',
  'server/migrations',
  'server/archive-migrations',
  'server/public',
  'server/reference',
  'dashboard/dist',
  'sdk/dist/sdk.tgz',
];

/** Our own packages, which are bundled: no registry has them. */
const BUNDLED = ['detector', 'embedded-postgres'];

/** Returns false for source maps, types and stamps of builds, which only the repository needs. @param {string} file */
const isDelivered = (file) => !/\.map$|\.d\.ts$|\.built-from$/.test(file);

/**
 * Lays out the server's package as it is installed: with our own packages, pages, reference, migrations and licences; all
 * other dependencies come from the registry, at the versions that the repository pins.
 * @param {string} directory an empty one
 */
function stage(directory) {
  for (const file of FILES)
    cpSync(path.join(ROOT, file), path.join(directory, file), { recursive: true, filter: isDelivered });
  const { version, license, engines, dependencies } = readJson('server/package.json');
  const others = { ...dependencies };
  /** @type {Record<string, string>} */
  const optional = {};
  for (const name of BUNDLED) {
    const from = `packages/${name}`;
    const to = path.join(directory, 'node_modules/@tocsin', name);
    mkdirSync(to, { recursive: true });
    cpSync(path.join(ROOT, from, 'dist'), path.join(to, 'dist'), { recursive: true, filter: isDelivered });
    const own = readJson(`${from}/package.json`);
    const { name: fullName, type, exports } = own;
    const entry = { default: exports['.'].default };
    writeJson(path.join(to, 'package.json'), {
      name: fullName,
      version,
      license,
      type,
      exports: { '.': entry },
    });
    Object.assign(others, own.dependencies);
    Object.assign(optional, own.optionalDependencies);
  }
  writeJson(path.join(directory, 'package.json'), {
    name: 'tocsin',
    version,
    description: readJson('package.json').description,
    license,
    engines,
    bin: { tocsin: 'server/bin/tocsin.js' },
    files: ['server', 'dashboard', 'sdk', 'LICENSE', 'NOTICE', 'CHANGELOG.md'],
    dependencies: others,
    optionalDependencies: optional,
    bundleDependencies: BUNDLED.map((name) => `@tocsin/${name}`),
  });
  writeFileSync(path.join(directory, 'README.md'), README);
}

const README = `# Tocsin

Self-hosted event monitoring: durable intake, grouping, and incidents that open by themselves.

\`\`\`sh
npx tocsin start
\`\`\`

serves the dashboard on <http://localhost:4000> and takes events on <http://localhost:4100>; data is in \`./data\`. It needs
Node.js 20.19 or later on Linux or macOS; set \`DATABASE_URL\` to use a PostgreSQL of your own.
`;

/** @param {string} file @param {object} content */
function writeJson(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

/**
 * Builds what is missing, and packs the server.
 * @param {string} destination directory of the tarball
 * @returns {string} its file
 */
export function packServer(destination) {
  buildMissing();
  const directory = mkdtempSync(path.join(tmpdir(), 'tocsin-pack-'));
  try {
    stage(directory);
    mkdirSync(destination, { recursive: true });
    run('npm', [
      'pack',
      directory,
      '--pack-destination',
      destination,
      '--ignore-scripts',
      '--loglevel=error',
    ]);
    return path.join(destination, `tocsin-${readJson('server/package.json').version}.tgz`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

// `npm run pack [directory]`
if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(packServer(path.resolve(process.argv[2] ?? ROOT)));
