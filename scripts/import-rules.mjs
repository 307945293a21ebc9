import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './install.mjs';

/*
 * Imports run one way: main → cli → roles → {resources, ingestion, processing, risk, realtime} →
 * queue → {http, database, platform}. Prints each import that runs against it and ends with 1.
 */
const SOURCE = path.join(ROOT, 'server/src');
const BASE = ['platform', 'database', 'http'];
const RESOURCES = ['tenancy', 'events', 'incidents'];
const PIPELINE = ['ingestion', 'processing', 'risk', 'realtime'];

/** What each folder may import besides itself. Types may be shared more freely: see `TYPES_FROM`. */
const ALLOWED = {
  ...Object.fromEntries(BASE.map((name) => [name, BASE])),
  queue: BASE,
  ...Object.fromEntries(RESOURCES.map((name) => [name, [...RESOURCES, ...BASE]])),
  ...Object.fromEntries(PIPELINE.map((name) => [name, [...RESOURCES, ...PIPELINE, 'queue', ...BASE]])),
  roles: ['maintenance', 'backup', ...RESOURCES, ...PIPELINE, 'queue', ...BASE, 'config.ts'],
  maintenance: [...RESOURCES, ...PIPELINE, 'queue', ...BASE],
  backup: [...RESOURCES, ...BASE],
  cli: ['backup', 'maintenance', ...RESOURCES, ...PIPELINE, 'queue', ...BASE, 'roles', 'config.ts'],
  'main.ts': ['cli', 'roles', ...BASE, 'config.ts'],
  'config.ts': ['config-files.ts', 'config-values.ts', ...BASE],
  'config-files.ts': [],
  'config-values.ts': [],
};

/** A queued event has a severity, whose one definition stands with the events. */
const TYPES_FROM = { queue: ['events'] };

const faults = [];
for (const file of readdirSync(SOURCE, { recursive: true }).map(String)) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
  const from = file.split(path.sep)[0] ?? '';
  const text = readFileSync(path.join(SOURCE, file), 'utf8');
  for (const [, typeOnly, specifier = ''] of text.matchAll(
    /^(?:import|export) (type )?[^;]*?from '(\.[^']+)';/gm,
  )) {
    const target = path.relative(SOURCE, path.resolve(SOURCE, path.dirname(file), specifier));
    const to = target.split(path.sep)[0] ?? '';
    const allowed = [from, ...(ALLOWED[from] ?? []), ...(typeOnly ? (TYPES_FROM[from] ?? []) : [])];
    if (!allowed.includes(to)) faults.push(`${file} imports ${target}: ${from} may not know ${to}`);
    if (/^(?:.*-)?routes\.ts$/.test(path.basename(target)) && from !== 'roles') {
      faults.push(`${file} imports ${target}: only roles put routes together`);
    }
  }
}

/*
 * The dashboard: app → features → ui → lib; no feature knows another. What the server answers comes in as types
 * alone, and through one file. One file of the server is shared as code.
 */
const DASHBOARD = path.join(ROOT, 'dashboard/src');
const DASHBOARD_ORDER = ['main.tsx', 'app', 'features', 'ui', 'lib'];
const SERVER_TYPES = path.join('lib', 'api-types.ts');
/** Pure, and without imports: what both say of an incident is worded once. */
const SHARED_CODE = path.join(SOURCE, 'incidents/wording.ts');

/** @param {string} file */
const layerOf = (file) => DASHBOARD_ORDER.indexOf(file.split(path.sep)[0] ?? '');
/** @param {string} file */
const featureOf = (file) => (file.startsWith('features') ? file.split(path.sep)[1] : undefined);

for (const file of readdirSync(DASHBOARD, { recursive: true }).map(String)) {
  if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) continue;
  const text = readFileSync(path.join(DASHBOARD, file), 'utf8');
  for (const [, typeOnly, from = '', dynamic = ''] of text.matchAll(
    /(?:^(?:import|export) (type )?[^;]*?from '(\.[^']+)';|import\('(\.[^']+)'\))/gm,
  )) {
    const target = path.relative(DASHBOARD, path.resolve(DASHBOARD, path.dirname(file), from || dynamic));
    if (path.join(DASHBOARD, target) === SHARED_CODE) continue;
    if (target.startsWith('..')) {
      if (!typeOnly || file !== SERVER_TYPES) faults.push(`dashboard: ${file} imports ${target}`);
      continue;
    }
    const [own = 0, other = 0] = [file, target].map(layerOf);
    const feature = featureOf(target);
    if (other < own) faults.push(`dashboard: ${file} imports ${target}`);
    else if (featureOf(file) && feature && feature !== featureOf(file))
      faults.push(`dashboard: ${file} imports another feature's ${target}`);
  }
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
