import { expect, it } from 'vitest';
import { listVapidKeys } from '../../src/notifications/channels/webpush/queries.ts';
import { findOrCreateVapidKeys } from '../../src/notifications/channels/webpush/vapid-keys.ts';
import { Encryption, generateKey } from '../../src/platform/encryption/encryption.ts';
import { createTestDatabase } from '../support/database.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

it('creates one pair of keys for any number of processes, and keeps it when the encryption key is replaced', async () => {
  const { pool } = await createTestDatabase();
  const [first, second] = [generateKey(), generateKey()];
  const made = await Promise.all(
    Array.from({ length: 8 }, () => findOrCreateVapidKeys(pool, new Encryption([first]), NOW)),
  );
  expect(new Set(made.map(({ publicKey, privateKey }) => publicKey + privateKey)).size).toBe(1);
  expect(await findOrCreateVapidKeys(pool, new Encryption([second, first]), NOW)).toEqual(made[0]);
  expect(JSON.stringify(await listVapidKeys(pool))).not.toContain(made[0]?.privateKey);
});

it('creates another pair when the encryption key is lost, and returns to the former pair when it is found', async () => {
  const { pool } = await createTestDatabase();
  const [lost, present] = [generateKey(), generateKey()];
  const before = await findOrCreateVapidKeys(pool, new Encryption([lost]), NOW);
  const after = await findOrCreateVapidKeys(pool, new Encryption([present]), new Date(NOW.getTime() + 1));
  expect(after.publicKey).not.toBe(before.publicKey);
  expect(await findOrCreateVapidKeys(pool, new Encryption([present]), NOW)).toEqual(after);
  expect(await findOrCreateVapidKeys(pool, new Encryption([present, lost]), NOW)).toEqual(before);
  await expect(findOrCreateVapidKeys(pool, new Encryption([]), NOW)).rejects.toThrow(
    'ENCRYPTION_KEY is not set',
  );
});
