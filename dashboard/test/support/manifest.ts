import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
}

/** Reads Vite's manifest of chunks by module: https://vite.dev/guide/backend-integration */
export async function readManifest(): Promise<Record<string, Chunk>> {
  return JSON.parse(await readFile(path.join(DIST, '.vite/manifest.json'), 'utf8'));
}

/** Returns the addresses of lazily loaded chunks whose modules match. */
export async function assetsOf(modules: RegExp): Promise<string[]> {
  const chunks = Object.entries(await readManifest()).filter(([module]) => modules.test(module));
  if (chunks.length === 0) throw new Error(`No chunk matches ${modules}.`);
  return chunks.map(([, { file }]) => `/app/${file}`);
}
