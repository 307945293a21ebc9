import { readFileSync } from 'node:fs';

/** The package lies two levels up, from the sources as from the build. */
export function readProgramVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
