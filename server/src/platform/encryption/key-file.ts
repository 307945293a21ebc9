import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../command-error.ts';
import { generateKey, readKeys } from './encryption.ts';

const FILE_NAME = 'encryption.key';

/**
 * The keys of an installation with the embedded database: in a file beside the database, readable by its owner alone.
 * Backups contain the database alone, and so no key. For the process that holds the lock of the data directory.
 * @throws CommandError for a file that cannot be used: another key would make all stored secrets unreadable
 */
export async function findOrCreateKeyFile(dataDirectory: string): Promise<string[]> {
  const file = path.join(dataDirectory, FILE_NAME);
  await createIfMissing(file);
  const keys = readKeys(await readFile(file, 'utf8'));
  if (keys) return keys;
  throw new CommandError(
    `${file} holds no key. Put back the file that belongs to the data, or delete it: then stored secrets, such as those of notification targets, have to be entered again.`,
  );
}

/** Creates the file such that it has its content as soon as it has its name, even after a power cut. */
async function createIfMissing(file: string): Promise<void> {
  const directory = path.dirname(file);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).includes(FILE_NAME)) return;
  const draft = `${file}.${randomUUID()}.draft`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    // Root may start the service for the owner of the directory, who starts it the next time.
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(directory);
      await handle.chown(uid, gid);
    }
    await handle.writeFile(`${generateKey()}\n`);
    await handle.sync();
    await rename(draft, file);
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}
