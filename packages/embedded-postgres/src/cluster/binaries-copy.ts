import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { systemCode } from '../platform/errors.ts';
import { canEnter, type Identity, isTamperProof } from '../root/run-as.ts';
import type { PostgresPackage } from './package.ts';

interface SourceFile {
  /** Relative to the package. */
  path: string;
  size: number;
  executable: boolean;
}

/** Files only for building other programs against PostgreSQL. */
const NOT_NEEDED = /\.a$|^native\/include\/|\/pgxs\/|\/pkgconfig\//;

interface Place {
  directory: string;
  /** Removes what was created for this start alone, once it is no longer needed. */
  dispose(): Promise<void>;
  /** Removes what this start has created, if it is of no use. */
  discard(): Promise<void>;
}

/**
 * Copies of a package, in places that the identity can enter and no other user can tamper with, created on demand: a
 * place may be full, or forbid running programs. Later starts find a copy again, and complete it if a part of it is
 * missing.
 */
export async function* copyForOthers(source: PostgresPackage, identity: Identity): AsyncGenerator<Place> {
  const files = await listFiles(source.directory);
  const name = `tocsin-postgres-${source.version}-${hash(files)}-${process.geteuid?.()}`;
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    if (!(await canEnter(parent, identity).catch(() => false))) continue;
    const place = await makePlace(parent, name).catch(() => null);
    if (place === null) continue;
    try {
      await complete(source.directory, place.directory, files);
    } catch {
      await place.discard();
      continue;
    }
    yield place;
  }
}

/** The directory of that name, or, if another user has taken the name, a fresh one for this start alone. */
async function makePlace(parent: string, name: string): Promise<Place> {
  const directory = join(parent, name);
  const made = await mkdir(directory, { mode: 0o755 }).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === 'EEXIST') return false;
      throw error;
    },
  );
  if (await isTamperProof(directory)) {
    await chmod(directory, 0o755);
    return {
      directory,
      dispose: async () => {},
      discard: () => (made ? remove(directory) : Promise.resolve()),
    };
  }
  if (made) await remove(directory);
  const fresh = await mkdtemp(`${directory}-`);
  if (!(await isTamperProof(fresh))) {
    await remove(fresh);
    throw new Error(`${parent} is writable by other users`);
  }
  await chmod(fresh, 0o755);
  return { directory: fresh, dispose: () => remove(fresh), discard: () => remove(fresh) };
}

function remove(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true });
}

/**
 * Copies the files that are missing or of another size. Each appears whole under its name, so that several processes
 * may do this at once, and an interrupted one leaves no partial file.
 */
async function complete(from: string, to: string, files: SourceFile[]): Promise<void> {
  const present = await Promise.all(
    files.map(async ({ path, size }) => (await lstat(join(to, path)).catch(() => null))?.size === size),
  );
  for (const directory of new Set(files.flatMap(({ path }) => parents(path)))) {
    await mkdir(join(to, directory), { recursive: true });
    await chmod(join(to, directory), 0o755);
  }
  for (const { path, executable } of files.filter((_, index) => !present[index])) {
    const target = join(to, path);
    const draft = `${target}.${randomUUID()}.draft`;
    await copyFile(join(from, path), draft, constants.COPYFILE_FICLONE);
    await chmod(draft, executable ? 0o755 : 0o644);
    // Sticky files are left alone by systemd-tmpfiles, which clears old ones out of temporary directories.
    await chmod(draft, executable ? 0o1755 : 0o1644).catch(() => {});
    await rename(draft, target);
  }
}

function parents(path: string): string[] {
  const parent = dirname(path);
  return parent === '.' ? [] : [...parents(parent), parent];
}

async function listFiles(directory: string): Promise<SourceFile[]> {
  const entries = await readdir(join(directory, 'native'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((path) => !NOT_NEEDED.test(path))
    .toSorted();
  return Promise.all(
    files.map(async (path) => {
      const { size, mode } = await lstat(join(directory, path));
      return { path, size, executable: (mode & 0o100) !== 0 };
    }),
  );
}

function hash(files: SourceFile[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
}
