import { expect, it } from 'vitest';
import { generateSecret, hashSecret, isWellFormedSecret } from './secret-format.ts';

it('generates secrets of one form, each different, with their SHA-256', () => {
  const [first, second] = [generateSecret('tsn_inv_'), generateSecret('tsn_inv_')];
  expect(first.secret).toMatch(/^tsn_inv_[0-9A-Za-z]{38}$/);
  expect(first.secret).not.toBe(second.secret);
  expect(first.hash).toEqual(hashSecret(first.secret));
  expect(first.hash).toHaveLength(32);
});

it('recognises a secret by its prefix, length and checksum', () => {
  const { secret } = generateSecret('tsn_inv_');
  expect(isWellFormedSecret('tsn_inv_', secret)).toBe(true);
  const swapped = secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');
  for (const text of ['', 'tsn_inv_', swapped, `${secret}0`, secret.slice(0, -1), ` ${secret}`]) {
    expect(isWellFormedSecret('tsn_inv_', text), text).toBe(false);
  }
  expect(isWellFormedSecret('tsn_pat_', secret)).toBe(false);
  expect(isWellFormedSecret('tsn_pat_', secret.replace('_inv_', '_pat_'))).toBe(false);
});
