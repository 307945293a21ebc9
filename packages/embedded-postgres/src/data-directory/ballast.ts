import { randomBytes } from 'node:crypto';
import { lstat, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../platform/errors.ts';

export const BALLAST_BYTES = 64 * 1024 * 1024;
const BLOCK_BYTES = 1024 * 1024;

/** A file that reserves room on the disk: removed, it leaves PostgreSQL what the recovery after a full disk needs. */
function ballastPath(dataDirectory: string): string {
  return join(dataDirectory, 'ballast');
}

export async function hasBallast(dataDirectory: string): Promise<boolean> {
  try {
    return (await lstat(ballastPath(dataDirectory))).size === BALLAST_BYTES;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Random bytes: a file system that compresses would reserve nothing for others. */
export async function makeBallast(dataDirectory: string): Promise<void> {
  const block = randomBytes(BLOCK_BYTES);
  await removeBallast(dataDirectory);
  // A new file, never the target of a link in its place: for root, the directory may belong to another account.
  const file = await open(ballastPath(dataDirectory), 'wx', 0o600);
  try {
    for (let written = 0; written < BALLAST_BYTES; written += BLOCK_BYTES) await file.writeFile(block);
  } catch (error) {
    await removeBallast(dataDirectory);
    throw error;
  } finally {
    await file.close();
  }
}

export async function removeBallast(dataDirectory: string): Promise<void> {
  await rm(ballastPath(dataDirectory), { force: true });
}
