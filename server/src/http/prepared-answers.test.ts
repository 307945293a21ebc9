import { describe, expect, it } from 'vitest';
import { type Coding, chooseCoding } from './prepared-answers.ts';

describe('the choice of a content coding', () => {
  it.each<[string | undefined, Coding]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;Q=1.0', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity, br', 'br'],
    ['deflate', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=-1', 'identity'],
    ['gzip;q=x, br;q=', 'identity'],
    ['gzip;level=9', 'identity'],
    ['gzip;q=1;q=1', 'identity'],
    [';;;,,,;q=1', 'identity'],
    ['__proto__, constructor', 'identity'],
    [`${'a,'.repeat(50_000)}gzip`, 'identity'],
  ])('follows Accept-Encoding, and reads nothing into a malformed one: %j', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });
});
