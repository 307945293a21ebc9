import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { acquireLease, deleteLease } from '../src/database/lease-queries.ts';
import { createTestDatabase } from './support/database.ts';
import { beginHeldTransaction } from './support/held-transaction.ts';

const LEASE_MS = 3_600_000;

describe('a lease', async () => {
  const { pool } = await createTestDatabase();
  const name = 'test';
  const holderOf = () => ({ name, holderId: randomUUID(), durationMs: LEASE_MS });
  const expire = () =>
    pool.query(`UPDATE leases SET expires_at = clock_timestamp() - interval '1 second' WHERE name = $1`, [
      name,
    ]);

  it('refuses a second process at once while the transaction of a holder goes on that outlived its lease', async () => {
    const [first, second] = [holderOf(), holderOf()];
    expect(await acquireLease(pool, first)).toBe(true);
    await expire();
    const round = await beginHeldTransaction(pool);
    expect(await acquireLease(round, first)).toBe(true);
    // Without SKIP LOCKED it would wait for the transaction, and the test for it.
    expect(await acquireLease(pool, second)).toBe(false);
    expect(await acquireLease(round, first)).toBe(true);
    await round.query('COMMIT');
    round.release();
    expect(await acquireLease(pool, second)).toBe(false);
    await expire();
    expect(await acquireLease(pool, second)).toBe(true);
    expect(await acquireLease(pool, first)).toBe(false);
    await deleteLease(pool, name, second.holderId);
  });

  it('renews a lease while a transaction goes on to which it was refused', async () => {
    const [first, second] = [holderOf(), holderOf()];
    expect(await acquireLease(pool, first)).toBe(true);
    const refused = await beginHeldTransaction(pool);
    expect(await acquireLease(refused, second)).toBe(false);
    expect(await acquireLease(pool, first)).toBe(true);
    await refused.query('COMMIT');
    refused.release();
    await deleteLease(pool, name, first.holderId);
  });

  it('gives a lease to one of many processes that ask for it at once', async () => {
    const holders = Array.from({ length: 8 }, holderOf);
    for (const begin of [() => deleteLease(pool, name, randomUUID()), expire]) {
      await begin();
      const answers = await Promise.all(holders.map((holder) => acquireLease(pool, holder)));
      expect(answers.filter(Boolean)).toHaveLength(1);
    }
  });
});
