import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIGEST_BYTES = 32;
/** Not committed, and removed with the installed packages. */
const DIRECTORY = fileURLToPath(new URL('../../../node_modules/.cache/tocsin-tests/', import.meta.url));

export interface MadeOnceOptions {
  /** Unique name of the bytes: letters, digits and hyphens. */
  name: string;
  /** Files, and folders of TypeScript, that the bytes follow from: if one changes, the bytes are made again. */
  sources: URL[];
  directory?: string;
}

/**
 * Returns bytes that take long to make and follow from sources alone, such as a state after simulated weeks. They are
 * made on first use, and read from a file afterwards, also by later runs. Processes that need them at the same moment
 * each make them, and a file is complete or absent. A file that differs from what was written is made again.
 */
export async function madeOnce(
  { name, sources, directory = DIRECTORY }: MadeOnceOptions,
  make: () => Uint8Array | Promise<Uint8Array>,
): Promise<Uint8Array> {
  const file = `${name}.${await hashOf(sources)}`;
  const known = await readWhole(join(directory, file));
  if (known) return known;
  const made = await make();
  await mkdir(directory, { recursive: true });
  const draft = join(directory, `draft.${randomUUID()}`);
  await writeFile(draft, Buffer.concat([digestOf(made), made]));
  await rename(draft, join(directory, file));
  await removeFormer(directory, name, file);
  return made;
}

async function readWhole(path: string): Promise<Uint8Array | null> {
  const content = await readFile(path).catch(() => null);
  if (!content) return null;
  const bytes = content.subarray(DIGEST_BYTES);
  return digestOf(bytes).equals(content.subarray(0, DIGEST_BYTES)) ? bytes : null;
}

async function removeFormer(directory: string, name: string, file: string): Promise<void> {
  for (const other of await readdir(directory)) {
    if (other.startsWith(`${name}.`) && other !== file) await rm(join(directory, other), { force: true });
  }
}

/** Hash of the sources and of the Node version, which may round otherwise. */
async function hashOf(sources: URL[]): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) hash.update(await digestOfSource(fileURLToPath(source)));
  return hash.digest('hex');
}

/** A process that runs many test files reads the folders of sources once. */
const digests = new Map<string, Promise<Buffer>>();

function digestOfSource(path: string): Promise<Buffer> {
  const digest = digests.get(path) ?? readSource(path).then(digestOf);
  digests.set(path, digest);
  return digest;
}

async function readSource(path: string): Promise<Buffer> {
  if (!path.endsWith('/')) return readFile(path);
  const names = await readdir(path, { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).toSorted();
  const contents = await Promise.all(sources.map((name) => readFile(join(path, name))));
  return Buffer.concat(
    sources.flatMap((name, i) => [Buffer.from(`\n${name}\n`), contents[i] ?? Buffer.of()]),
  );
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
