import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../roles/metrics.ts';
import { generateApiKey } from '../../tenancy/api-keys/key-format.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import { KeyLookup } from './key-lookup.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A database of keys: queries read the keys that are valid when they begin, and end when the test lets them. */
function start(monotonicMs = () => 0) {
  const valid = new Map<string, KeyOwner>();
  const queries: { size: number; end: (failure?: Error) => void }[] = [];
  const lookup = new KeyLookup(
    (hashes) => {
      const seen = new Map([...valid].filter(([hex]) => hashes.some((hash) => hash.toString('hex') === hex)));
      return new Promise((resolve, reject) => {
        const end = (failure?: Error) => (failure ? reject(failure) : resolve(seen));
        queries.push({ size: hashes.length, end });
      });
    },
    createMetrics(),
    monotonicMs,
  );
  const issue = () => {
    const { rawKey, hash } = generateApiKey();
    valid.set(hash.toString('hex'), {
      keyId: rawKey,
      projectId: 'p',
      organizationId: 'o',
      projectNumber: 1,
      browser: null,
    });
    return { rawKey, revoke: () => valid.delete(hash.toString('hex')) };
  };
  const end = async (index: number, failure?: Error) => {
    queries[index]?.end(failure);
    await settle();
  };
  return { lookup, queries, issue, end };
}

describe('the key lookup', () => {
  it('finds the owner of a valid key, and null for an unknown one', async () => {
    const { lookup, issue, end } = start();
    const { rawKey } = issue();
    const known = lookup.find(rawKey);
    await end(0);
    expect(await known).toEqual({
      keyId: rawKey,
      projectId: 'p',
      organizationId: 'o',
      projectNumber: 1,
      browser: null,
    });
    const unknown = lookup.find(generateApiKey().rawKey);
    await end(1);
    expect(await unknown).toBeNull();
  });

  it('runs no query for a text that is no key', async () => {
    const { lookup, queries } = start();
    expect(await lookup.find('tsn_live_mistyped')).toBeNull();
    expect(queries).toEqual([]);
  });

  it('answers a lookup 8.5 seconds after the call, in a query without an end or waiting for one', async () => {
    let nowMs = 0;
    const { lookup, queries, issue, end } = start(() => nowMs);
    const { rawKey } = issue();
    const [first, second] = [lookup.find(rawKey), lookup.find(rawKey)];
    nowMs = 5_000;
    const third = lookup.find(rawKey);
    nowMs = 8_500;
    for (const early of [first, second]) await expect(early).rejects.toMatchObject({ code: 'unavailable' });
    nowMs = 13_500;
    await expect(third).rejects.toMatchObject({ code: 'unavailable' });
    for (const index of queries.keys()) await end(index);
    const last = lookup.find(rawKey);
    await end(queries.length - 1);
    expect(await last).toMatchObject({ keyId: rawKey });
  });

  it('forgets the lookups that it answered so, and their keys', async () => {
    let nowMs = 0;
    const { lookup, queries, issue, end } = start(() => nowMs);
    const keys = [issue(), issue(), issue()];
    const overdue = keys.map(({ rawKey }) => lookup.find(rawKey));
    nowMs = 8_500;
    for (const early of overdue) await expect(early).rejects.toMatchObject({ code: 'unavailable' });
    const last = lookup.find(issue().rawKey);
    await end(0);
    expect(queries.map(({ size }) => size)).toEqual([1, 1, 1]);
    await end(2);
    expect(await last).not.toBeNull();
    await end(1);
  });

  it('answers only from a query that began after the call', async () => {
    const { lookup, queries, issue, end } = start();
    const { rawKey, revoke } = issue();
    // Both lanes query while the key is valid; the revocation comes before their answers.
    const before = [lookup.find(rawKey), lookup.find(rawKey)];
    expect(queries).toHaveLength(2);
    revoke();
    const after = lookup.find(rawKey);
    await end(0);
    expect(await before[0]).not.toBeNull();
    await end(2);
    expect(await after).toBeNull();
    await end(1);
    expect(await before[1]).not.toBeNull();
  });

  it('remembers nothing between two calls', async () => {
    const { lookup, issue, end } = start();
    const { rawKey, revoke } = issue();
    const first = lookup.find(rawKey);
    await end(0);
    expect(await first).not.toBeNull();
    revoke();
    const second = lookup.find(rawKey);
    await end(1);
    expect(await second).toBeNull();
  });

  it('asks once for all who wait at the same moment', async () => {
    const { lookup, queries, issue, end } = start();
    const [one, two] = [issue(), issue()];
    const early = [lookup.find(one.rawKey), lookup.find(one.rawKey)];
    const late = [one, two, one, two, one].map(({ rawKey }) => lookup.find(rawKey));
    await end(0);
    expect(queries.map(({ size }) => size)).toEqual([1, 1, 2]);
    await end(1);
    await end(2);
    expect((await Promise.all([...early, ...late])).map((owner) => owner?.keyId)).toEqual(
      [one, one, one, two, one, two, one].map(({ rawKey }) => rawKey),
    );
  });

  it('never has more than two queries under way', async () => {
    const { lookup, queries, issue } = start();
    const { rawKey } = issue();
    for (let count = 0; count < 100; count++) void lookup.find(rawKey);
    await settle();
    expect(queries).toHaveLength(2);
  });

  it('answers neither valid nor invalid where the database does not answer, and continues afterwards', async () => {
    const { lookup, issue, end } = start();
    const { rawKey } = issue();
    const failing = lookup.find(rawKey);
    const refused = expect(failing).rejects.toMatchObject({ code: 'unavailable' });
    await end(0, new Error('connection lost'));
    await refused;
    const later = lookup.find(rawKey);
    await end(1);
    expect(await later).not.toBeNull();
  });
});
