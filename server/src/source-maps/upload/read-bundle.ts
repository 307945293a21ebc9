import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { isDebugId, toDebugId } from '../debug-id.ts';
import { MAX_BUNDLE_BYTES, MAX_ENTRIES, MAX_MAP_BYTES, MAX_UNPACKED_BYTES } from '../limits.ts';
import type { ChunkedFile } from './chunked-file.ts';

const MIB = 1024 * 1024;
const MAX_MANIFEST_BYTES = 4 * MIB;
/** Methods of compression of the ZIP format that are read. */
const STORED = 0;
const DEFLATED = 8;

/** A bundle that is refused, with the sentence for the user who uploads it. */
export class BundleError extends Error {
  override name = 'BundleError';
}

/** A source map of a bundle, whose content was checked. */
export interface BundledMap {
  debugId: string;
  /** SHA-256 of the map in hexadecimal. */
  checksum: string;
  isDeflated: boolean;
  packedBytes: number;
  /** Position of its bytes in the bundle. */
  start: number;
}

/**
 * Reads the source maps of a bundle that have a debug id, and checks each: the sizes and checksums that a ZIP file
 * states are claims. Files of other kinds are not read.
 * @throws BundleError
 */
export async function readBundle(file: ChunkedFile): Promise<BundledMap[]> {
  if (file.length > MAX_BUNDLE_BYTES)
    throw new BundleError(`The bundle is larger than ${MAX_BUNDLE_BYTES / MIB} MiB: upload it in parts.`);
  try {
    const zip = await fromRandomAccessReaderPromise(file, file.length, { autoClose: false });
    const entries = await listEntries(zip);
    const maps = listMaps(await readManifest(zip, entries.get('manifest.json')));
    const read: BundledMap[] = [];
    for (const [path, debugId] of maps) {
      const entry = entries.get(path);
      if (!entry) throw new BundleError('The manifest of the bundle names a file that is not in it.');
      read.push(await readMap(zip, entry, debugId));
    }
    return read;
  } catch (error) {
    if (error instanceof BundleError || isOwnFailure(error)) throw error;
    throw new BundleError('The bundle is not a readable ZIP file.', { cause: error });
  }
}

/** True for an error of the database: those of ZIP files have no code, and those of its decompression begin with `Z_`. */
function isOwnFailure(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && !code.startsWith('Z_');
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES)
    throw new BundleError(`The bundle has more than ${MAX_ENTRIES} files: upload it in parts.`);
  const entries = new Map<string, Entry>();
  let packedBytes = 0;
  let unpackedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    // Each would be stored at its full length.
    packedBytes += entry.compressedSize;
    if (packedBytes > zip.fileSize) throw new BundleError('The bundle is damaged: its files overlap.');
    unpackedBytes += entry.uncompressedSize;
    if (unpackedBytes > MAX_UNPACKED_BYTES)
      throw new BundleError(
        `The bundle has more than ${MAX_UNPACKED_BYTES / MIB} MiB when it is unpacked: upload it in parts.`,
      );
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function readManifest(zip: ZipFile, entry: Entry | undefined): Promise<unknown> {
  if (!entry) throw new BundleError('The bundle has no manifest.json.');
  if (entry.uncompressedSize > MAX_MANIFEST_BYTES)
    throw new BundleError(`The manifest of the bundle is larger than ${MAX_MANIFEST_BYTES / MIB} MiB.`);
  const pieces: Buffer[] = [];
  for await (const piece of await open(zip, entry)) pieces.push(piece as Buffer);
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch {
    throw new BundleError('The manifest of the bundle is not JSON.');
  }
}

interface Manifest {
  files?: Record<string, { type?: unknown; headers?: Record<string, unknown> | null } | null> | null;
}

/** Debug ids of the maps of a bundle, by path. Maps with an id of another form, and those without one, are left out. */
function listMaps(manifest: unknown): Map<string, string> {
  // Any shape may come: each level may be absent.
  const files = (manifest as Manifest | null)?.files;
  const maps = new Map<string, string>();
  for (const [path, file] of Object.entries(files ?? {})) {
    if (file?.type !== 'source_map') continue;
    const [, id] = Object.entries(file.headers ?? {}).find(([name]) => /^debug-?id$/i.test(name)) ?? [];
    if (isDebugId(id)) maps.set(path, toDebugId(id));
  }
  if (maps.size === 0)
    throw new BundleError(
      'No source map of the bundle has a debug id. Run sentry-cli sourcemaps inject on the built files, and upload them again.',
    );
  return maps;
}

async function readMap(zip: ZipFile, entry: Entry, debugId: string): Promise<BundledMap> {
  if (entry.uncompressedSize > MAX_MAP_BYTES)
    throw new BundleError(`${quote(entry)} is larger than ${MAX_MAP_BYTES / MIB} MiB.`);
  const hash = createHash('sha256');
  let crc = 0;
  for await (const piece of await open(zip, entry)) {
    hash.update(piece as Buffer);
    crc = crc32(piece as Buffer, crc);
  }
  if (crc !== entry.crc32) throw new BundleError(`${quote(entry)} is damaged: its checksum differs.`);
  return {
    debugId,
    checksum: hash.digest('hex'),
    isDeflated: entry.compressionMethod === DEFLATED,
    packedBytes: entry.compressedSize,
    start: (await zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart,
  };
}

/** Opens a file, whose stream fails where it is longer or shorter than stated. */
async function open(zip: ZipFile, entry: Entry): Promise<Readable> {
  const { compressionMethod } = entry;
  if ((compressionMethod !== STORED && compressionMethod !== DEFLATED) || entry.isEncrypted())
    throw new BundleError(`${quote(entry)} is compressed or encrypted in a way that is not supported.`);
  return zip.openReadStreamPromise(entry);
}

function quote({ fileName }: Entry): string {
  return `The file ${JSON.stringify(fileName.slice(0, 200))} of the bundle`;
}
