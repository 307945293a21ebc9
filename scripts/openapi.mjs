import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildMissing } from './build.mjs';
import { installMissing, ROOT } from './install.mjs';

installMissing();
buildMissing();
const built = pathToFileURL(path.join(ROOT, 'server/dist/roles/describe-apis.js')).href;
const { describeApis, formatDocument, formatEndpoints } = await import(built);

const directory = path.join(ROOT, 'docs/openapi');
mkdirSync(directory, { recursive: true });
const documents = await describeApis();
for (const [name, document] of Object.entries(documents)) {
  const file = path.join(directory, `${name}.json`);
  writeFileSync(file, formatDocument(document));
  console.log(`Wrote ${path.relative(ROOT, file)}`);
}
const endpoints = path.join(ROOT, 'docs/api/endpoints.md');
writeFileSync(endpoints, formatEndpoints(documents));
console.log(`Wrote ${path.relative(ROOT, endpoints)}`);
