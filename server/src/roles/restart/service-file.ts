import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const ServiceFile = Type.Object({
  /** Process that was started, which has the embedded database. */
  pid: Type.Integer({ minimum: 1 }),
  /** Process that serves. */
  servingPid: Type.Integer({ minimum: 1 }),
  /** End of the last start or restart, or beginning of a restart that goes on, ISO 8601. */
  at: Type.String(),
  isRestarting: Type.Boolean(),
  /** Reason why the last restart failed; null: it succeeded. */
  problem: Type.Union([Type.String(), Type.Null()]),
});

/** The service that uses a data directory, for `tocsin restart`. */
export type ServiceFile = Static<typeof ServiceFile>;

/** @returns null: there is none */
export async function readServiceFile(dataDirectory: string): Promise<ServiceFile | null> {
  try {
    const value: unknown = JSON.parse(await readFile(pathOf(dataDirectory), 'utf8'));
    return Value.Check(ServiceFile, value) ? value : null;
  } catch {
    return null;
  }
}

export async function writeServiceFile(dataDirectory: string, file: ServiceFile): Promise<void> {
  const draft = `${pathOf(dataDirectory)}.draft`;
  // A new file, never the target of a link in its place: for root, the directory may belong to another account.
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(file)}\n`, { flag: 'wx', mode: 0o600 });
  await rename(draft, pathOf(dataDirectory));
}

function pathOf(dataDirectory: string): string {
  return join(dataDirectory, 'service.json');
}
