import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { CommandError } from '../platform/command-error.ts';

/** Destination of a backup. */
export interface BackupDestination {
  stream: Writable;
  /** Makes the backup appear under its name, complete. */
  publish: () => Promise<void>;
  /** Removes everything that was written; after `publish`, does nothing. */
  discard: () => Promise<void>;
}

/**
 * Creates a file, readable for its owner alone, that has its name only once it is complete and on the disk.
 * @throws CommandError if a file of that name exists, unless `force`, and if none can be written there
 */
export async function createBackupFile(file: string, force: boolean): Promise<BackupDestination> {
  await assertWritable(file, force);
  const partial = `${file}.${randomUUID()}.partial`;
  const handle = await open(partial, 'wx', 0o600).catch((error: Error) => {
    throw new CommandError(`The backup cannot be written: ${error.message}.`, { cause: error });
  });
  const stream = createWriteStream(partial, { fd: handle, flush: true });
  return {
    stream,
    publish: async () => {
      if (force) await rename(partial, file);
      else await renameToNew(partial, file);
    },
    discard: async () => {
      stream.destroy();
      await rm(partial, { force: true });
    },
  };
}

/** Standard output, for `-`. @throws CommandError for a terminal */
export function standardOutput(output: NodeJS.WriteStream): BackupDestination {
  if (output.isTTY)
    throw new CommandError('A backup is not for a terminal: redirect it to a file or a pipe.');
  return { stream: output, publish: async () => {}, discard: async () => {} };
}

/** @throws CommandError if the file cannot be read */
export async function openBackupFile(file: string): Promise<Readable> {
  const handle = await open(file, 'r').catch((error: Error) => {
    throw new CommandError(`The backup cannot be read: ${error.message}.`, { cause: error });
  });
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw new CommandError(`The backup cannot be read: ${file} is a directory.`);
  }
  return createReadStream(file, { fd: handle });
}

/** A device or a directory is never replaced, whatever the option says. */
async function assertWritable(file: string, force: boolean): Promise<void> {
  const present = await lstat(file).catch(() => null);
  if (!present) return;
  if (!present.isFile()) throw new CommandError(`${file} is not a regular file. Use - for standard output.`);
  if (!force) throw alreadyThere(file);
}

/**
 * Renames without replacing: a file that appeared there in the meantime stays, since `link` does not replace, as
 * `rename` would.
 */
async function renameToNew(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
    await rm(partial, { force: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw alreadyThere(file);
    // A file system without links.
    await assertWritable(file, false);
    await rename(partial, file);
  }
}

function alreadyThere(file: string): CommandError {
  return new CommandError(`${file} exists already: choose another name, or replace it with --force.`);
}
