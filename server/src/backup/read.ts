import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type ByteReader, readBytes } from './byte-reader.ts';
import {
  BackupError,
  FORMAT_VERSION,
  Footer,
  FRAME_HEAD_BYTES,
  type Frame,
  type FrameKind,
  Header,
  MAGIC,
  MAX_CONTENT_BYTES,
} from './format.ts';

export interface Backup {
  header: Header;
  /** Rows of the next table of the header, in the form for COPY. Must be read to the end before the next table. */
  readTable: (name: string) => AsyncGenerator<Buffer>;
  /** Reads the footer after the last table: the expected counts, once the checksum is verified. */
  readFooter: () => Promise<Footer>;
  close: () => void;
}

/**
 * Begins to read a backup. It is checked while it is read, so only the footer proves that it is complete.
 * @throws BackupError, like everything that it returns, for a file that is no backup, damaged, cut off, or of a newer
 * format
 */
export async function openBackup(source: Readable, signal?: AbortSignal): Promise<Backup> {
  const decoded = createGunzip();
  // The reader of the decoded stream gets the error, too.
  pipeline(source, decoded, signal ? { signal } : {}).catch(() => {});
  const bytes = readBytes(decoded);
  const hash = createHash('sha256');
  const close = () => {
    decoded.destroy();
    source.destroy();
  };
  try {
    return {
      header: await readHeader(bytes, hash),
      readTable: (name) => readTable(bytes, hash, name),
      readFooter: () => readFooter(bytes, hash),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function readHeader(bytes: ByteReader, hash: Hash): Promise<Header> {
  const magic = await bytes.take(MAGIC.length).catch((error: unknown) => {
    throw error instanceof BackupError ? noBackup(error) : error;
  });
  if (!magic.equals(MAGIC)) throw noBackup();
  hash.update(magic);
  const { content } = await readFrame(bytes, hash, ['H']);
  const json = parseJson(content);
  const format = (json as { format?: unknown } | null)?.format;
  if (typeof format === 'number' && format > FORMAT_VERSION) {
    throw new BackupError(
      `The backup has format ${format}, this program knows ${FORMAT_VERSION}: use a newer version of Tocsin.`,
    );
  }
  return check(Header, json);
}

function noBackup(cause?: unknown): BackupError {
  return new BackupError('This is not a Tocsin backup, or its beginning is damaged.', { cause });
}

async function* readTable(bytes: ByteReader, hash: Hash, name: string): AsyncGenerator<Buffer> {
  const { content } = await readFrame(bytes, hash, ['T']);
  if (content.toString() !== name) throw damaged(`the table ${name} is not where it should be`);
  for (;;) {
    const frame = await readFrame(bytes, hash, ['D', 'E']);
    if (frame.kind === 'E') return;
    yield frame.content;
  }
}

async function readFooter(bytes: ByteReader, hash: Hash): Promise<Footer> {
  const sha256 = hash.copy().digest('hex');
  const { content } = await readFrame(bytes, hash, ['F']);
  const footer = check(Footer, parseJson(content));
  if (footer.sha256 !== sha256) throw damaged('its checksum is not right');
  if (!(await bytes.ended())) throw damaged('something follows its end');
  return footer;
}

async function readFrame(bytes: ByteReader, hash: Hash, expected: FrameKind[]): Promise<Frame> {
  const head = await bytes.take(FRAME_HEAD_BYTES);
  const letter = head.toString('latin1', 0, 1);
  const kind = expected.find((kind) => kind === letter);
  const length = head.readUInt32BE(1);
  if (!kind || length > MAX_CONTENT_BYTES) throw damaged('its parts are not where they should be');
  const content = await bytes.take(length);
  hash.update(head).update(content);
  return { kind, content };
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    throw damaged('a part of it is not readable');
  }
}

function check<T extends TSchema>(schema: T, value: unknown): Static<T> {
  if (!Value.Check(schema, value)) throw damaged('a part of it is not readable');
  return value;
}

export function damaged(how: string, cause?: unknown): BackupError {
  return new BackupError(`The backup is damaged: ${how}.`, { cause });
}
