import { describe, expect, it } from 'vitest';
import { findEvicted, PasswordHasher } from './passwords.ts';

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

describe('the places of passwords that wait to be checked', () => {
  it('keeps places for browsers of the account while 200 addresses guess', async () => {
    const passwords = new PasswordHasher(CHEAP, 1);
    const guess = (address: string, trusted: string | null = null) =>
      passwords.verify(null, 'a guess', { address, trusted });
    const strangers = Array.from({ length: 200 }, (_, index) => guess(`192.0.2.${index}`));
    const owners = Array.from({ length: 10 }, (_, index) => guess('198.51.100.1', `device:${index}`));
    const outcomes = await Promise.allSettled(strangers);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(140);
    expect(await Promise.all(owners)).toHaveLength(10);
  });

  it('shares the places between networks, not between the addresses of one', async () => {
    const passwords = new PasswordHasher(CHEAP, 1);
    const guess = (address: string) => passwords.verify(null, 'a guess', { address, trusted: null });
    const one = Array.from({ length: 200 }, (_, index) => guess(`2001:db8:1:${index.toString(16)}::/64`));
    const other = guess('2001:db8:2:1::/64');
    const outcomes = await Promise.allSettled(one);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(140);
    await expect(other).resolves.toBe(false);
  });
});

describe('the choice of the network whose newest password is refused', () => {
  /** Waiting places by key: `known …` are browsers and sessions. */
  const evicted = (places: Record<string, number>, newcomer: string) =>
    findEvicted(
      Object.entries(places).map(([key, length]) => ({ key, length, first: null, last: null })),
      newcomer,
    );

  it('names none while places are left, also where one network has all others', () => {
    expect(evicted({ a: 48 }, 'a')).toBeNull();
    expect(evicted({ a: 47, b: 1, 'known d': 16 }, 'b')).toBeNull();
  });

  it('names the network with the most places, of equals the newcomer’s', () => {
    expect(evicted({ a: 10, b: 30, c: 9 }, 'c')).toBe('b');
    expect(evicted({ a: 16, b: 17, c: 17 }, 'c')).toBe('c');
    const one = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`n${index}`, 1]));
    expect(evicted(one, 'n48')).toBe('n48');
  });

  it('spares known browsers while unknown networks have more than three quarters', () => {
    expect(evicted({ 'known d': 60, a: 49 }, 'a')).toBe('a');
  });

  it('names the key with the most places of all where a known browser comes last', () => {
    expect(evicted({ a: 48, 'known d': 17 }, 'known d')).toBe('a');
    expect(evicted({ 'known d': 60, 'known e': 5 }, 'known e')).toBe('known d');
    expect(evicted({ a: 4, 'known d': 60, 'known e': 1 }, 'a')).toBe('known d');
  });
});
