import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Encryption, generateKey, readKeys } from './encryption.ts';
import { findOrCreateKeyFile } from './key-file.ts';

const OLD = generateKey();
const NEW = generateKey();
const PURPOSE = 'notification_targets.secrets:1';

describe('encryption of stored secrets', () => {
  it('decrypts what it encrypted, and encrypts the same text differently each time', () => {
    const encryption = new Encryption([NEW]);
    for (const text of ['', 'whsec_abc', 'ß 💥 \u0000', 'x'.repeat(100_000)]) {
      const value = encryption.encrypt(text, PURPOSE);
      expect(encryption.decrypt(value, PURPOSE)).toBe(text);
      expect(encryption.encrypt(text, PURPOSE)).not.toBe(value);
    }
  });

  it('says that a key is missing, and never shows a secret', () => {
    const value = new Encryption([OLD]).encrypt('hunter2', PURPOSE);
    expect(() => new Encryption([]).encrypt('hunter2', PURPOSE)).toThrow(/ENCRYPTION_KEY is not set/);
    expect(() => new Encryption([]).decrypt(value, PURPOSE)).toThrow(/ENCRYPTION_KEY is not set/);
    expect(() => new Encryption([NEW]).decrypt(value, PURPOSE)).toThrow(/encrypted with another key/);
  });

  it('reads values of a former key and tells which are to be encrypted again', () => {
    const value = new Encryption([OLD]).encrypt('hunter2', PURPOSE);
    const rotated = new Encryption([NEW, OLD]);
    expect(rotated.decrypt(value, PURPOSE)).toBe('hunter2');
    expect(rotated.isCurrent(value)).toBe(false);
    expect(rotated.isCurrent(rotated.encrypt('hunter2', PURPOSE))).toBe(true);
  });

  it('refuses a value that was changed, cut, or moved to another place', () => {
    const encryption = new Encryption([NEW]);
    const value = encryption.encrypt('hunter2', PURPOSE);
    const flipped = `${value.slice(0, -2)}${value.at(-2) === 'A' ? 'B' : 'A'}${value.at(-1)}`;
    for (const [text, purpose] of [
      [flipped, PURPOSE],
      [value.slice(0, 12), PURPOSE],
      [`${value.split(':')[0]}:`, PURPOSE],
      [value, 'notification_targets.secrets:2'],
    ] as const)
      expect(() => encryption.decrypt(text, purpose)).toThrow(/was changed/);
  });

  it('takes several keys of at least 32 characters, separated by commas or lines', () => {
    expect(readKeys(`${NEW},\n${OLD}\n`)).toEqual([NEW, OLD]);
    expect(readKeys('too short')).toBeUndefined();
    expect(readKeys(' , ')).toBeUndefined();
  });
});

describe('the key file beside the embedded database', () => {
  it('makes a key once, in a file that its owner alone reads', async () => {
    const directory = path.join(await mkdtemp(path.join(tmpdir(), 'tocsin-key-')), 'data');
    const keys = await findOrCreateKeyFile(directory);
    const file = path.join(directory, 'encryption.key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await findOrCreateKeyFile(directory)).toEqual(keys);
    expect((await readFile(file, 'utf8')).trim()).toBe(keys[0]);
  });

  it('does not replace a file that holds no key', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-key-'));
    await writeFile(path.join(directory, 'encryption.key'), 'oops');
    await expect(findOrCreateKeyFile(directory)).rejects.toThrow(/holds no key/);
    expect(await readFile(path.join(directory, 'encryption.key'), 'utf8')).toBe('oops');
  });
});
