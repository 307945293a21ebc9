import { describe, expect, it } from 'vitest';
import { PasswordHasher } from './passwords.ts';

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
