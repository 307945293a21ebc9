import { describe, expect, it } from 'vitest';
import { readNextPage } from './next-page.ts';

describe('the page after the login', () => {
  it('keeps path, search and hash as they are', () => {
    expect(readNextPage('/events?q=a%20b&severity=error#top')).toBe('/events?q=a%20b&severity=error#top');
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example',
    '\\\\evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    'events',
    '',
    7,
    undefined,
  ])('never leads elsewhere: %j', (next) => {
    expect(readNextPage(next)).toBeUndefined();
  });
});
