import { expect, it } from 'vitest';
import type { OutgoingResult } from '../../outgoing/send-request.ts';
import { interpretResult, readRetryAfter } from './outcome.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const answered = (status: number, headers = {}): OutgoingResult => ({
  kind: 'answer',
  status,
  headers,
  body: '',
  elapsedMs: 1,
});
const kindOf = (result: OutgoingResult) =>
  interpretResult(result, () => ({ kind: 'delivered', remote: null }), NOW).kind;

it('delivers on 2xx alone, and distinguishes transient from permanent failures', () => {
  for (const status of [200, 201, 202, 204]) expect(kindOf(answered(status))).toBe('delivered');
  for (const status of [408, 425, 429, 500, 502, 503, 599]) expect(kindOf(answered(status))).toBe('retry');
  for (const status of [301, 302, 307, 400, 401, 403, 404, 410, 413])
    expect(kindOf(answered(status))).toBe('permanent');
  for (const [cause, kind] of [
    ['timeout', 'retry'],
    ['unreachable', 'retry'],
    ['certificate', 'permanent'],
    ['address_refused', 'permanent'],
    ['bad_address', 'permanent'],
  ] as const)
    expect(kindOf({ kind: 'failure', cause, detail: '', elapsedMs: 1 })).toBe(kind);
});

it('waits as long as the other side asks for, up to an hour', () => {
  const read = (text: string) => readRetryAfter({ headers: { 'retry-after': text } }, NOW);
  expect(read('2')).toBe(2_000);
  expect(read('0.5')).toBe(500);
  expect(read('86400')).toBe(3_600_000);
  expect(read('Sun, 22 Nov 2026 12:00:30 GMT')).toBe(30_000);
  expect(read('Sun, 22 Nov 2026 11:00:00 GMT')).toBe(0);
  for (const text of ['', 'soon', '-1e9x', 'NaN']) expect(read(text)).toBeNull();
});
