import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBackupFile, openBackupFile, standardOutput } from '../../src/backup/file.ts';

describe('the file of a backup', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'tocsin-test-'));
    file = path.join(directory, 'backup');
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
  });

  const write = async (force = false) => {
    const destination = await createBackupFile(file, force);
    await pipeline(Readable.from([Buffer.from('new')]), destination.stream);
    return destination;
  };

  it('names a backup file only once it is complete, and makes it readable for its owner only', async () => {
    const destination = await write();
    expect(await readdir(directory)).toEqual([expect.stringMatching(/^backup\..+\.partial$/)]);
    await destination.publish();
    await destination.discard();
    expect(await readdir(directory)).toEqual(['backup']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await buffer(await openBackupFile(file))).toString()).toBe('new');
  });

  it('removes the file of an incomplete backup', async () => {
    await (await write()).discard();
    expect(await readdir(directory)).toEqual([]);
  });

  it('replaces an existing file only with --force', async () => {
    await writeFile(file, 'old');
    await expect(createBackupFile(file, false)).rejects.toThrow(/exists already: .* --force\.$/);
    await (await write(true)).publish();
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('does not replace a file that appeared while the backup was written', async () => {
    const destination = await write();
    await writeFile(file, 'old');
    await expect(destination.publish()).rejects.toThrow('exists already');
    await destination.discard();
    expect(await readdir(directory)).toEqual(['backup']);
    expect(await readFile(file, 'utf8')).toBe('old');
  });

  it('never replaces anything but an ordinary file', async () => {
    await mkdir(file);
    await expect(createBackupFile(file, true)).rejects.toThrow('is not a regular file');
    const link = path.join(directory, 'link');
    await symlink('/dev/null', link);
    await expect(createBackupFile(link, true)).rejects.toThrow('is not a regular file');
  });

  it('reports why a backup file cannot be written or read', async () => {
    const missing = path.join(directory, 'missing', 'backup');
    await expect(createBackupFile(missing, false)).rejects.toThrow(/^The backup cannot be written: ENOENT/);
    await expect(openBackupFile(missing)).rejects.toThrow(/^The backup cannot be read: ENOENT/);
    await expect(openBackupFile(directory)).rejects.toThrow('is a directory');
  });

  it('writes no backup to a terminal', () => {
    const terminal = { isTTY: true } as NodeJS.WriteStream;
    expect(() => standardOutput(terminal)).toThrow('A backup is not for a terminal');
  });
});
