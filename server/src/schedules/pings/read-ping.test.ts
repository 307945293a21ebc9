import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../../tenancy/api-keys/key-format.ts';
import { readOutput, readPing } from './read-ping.ts';

const KEY = generateApiKey('ping').rawKey;

describe('the address of a ping', () => {
  it.each([
    [[], 'ok'],
    [['start'], 'in_progress'],
    [['fail'], 'error'],
    [['log'], 'log'],
    [['0'], 'ok'],
    [['255'], 'error'],
  ] as const)('reads a token with %j as the status %s', (parts, status) => {
    expect(readPing('token', ...parts)).toEqual({ address: { token: 'token', slug: null }, status });
  });

  it('names a schedule by its slug behind a ping key, also one that is called start', () => {
    expect(readPing(KEY, 'start')).toEqual({ address: { token: KEY, slug: 'start' }, status: 'ok' });
    expect(readPing(KEY, 'backup', '3')).toEqual({
      address: { token: KEY, slug: 'backup' },
      status: 'error',
    });
  });

  it.each([
    [['token', 'done'], 'not_found'],
    [['token', '256'], 'validation_failed'],
    [['token', 'backup', 'start'], 'not_found'],
    [[KEY], 'not_found'],
    [[KEY, 'Backup'], 'validation_failed'],
    [[KEY, 'x'.repeat(65)], 'validation_failed'],
    [[KEY, 'backup', 'done'], 'not_found'],
  ] as [[string, string?, string?], string][])('refuses the address %j', ([token, ...parts], code) => {
    expect(() => readPing(token, ...parts)).toThrow(expect.objectContaining({ code }));
  });
});

describe('the output of a job', () => {
  it('keeps the last 10,000 bytes of output, from a whole character on', () => {
    expect(readOutput(Buffer.from(`first${'x'.repeat(9_999)}!`))).toBe(`${'x'.repeat(9_999)}!`);
    expect(readOutput(Buffer.from(`€${'x'.repeat(9_999)}`))).toBe('x'.repeat(9_999));
    expect(readOutput(Buffer.from('7 files'))).toBe('7 files');
  });

  it('keeps output as text that can be stored, or none', () => {
    expect(readOutput(Buffer.alloc(0))).toBeNull();
    expect(readOutput(Buffer.from([0x61, 0, 0xff]))).toBe('a\u{fffd}\u{fffd}');
  });
});
