import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCorrelationId } from './correlation.ts';
import type { Correlation } from './schema.ts';
import { toQueuedEvent } from './to-event.ts';

const PROJECT_ID = '0190a000-0000-7000-8000-000000000000';

function correlationIdOf(correlation: Correlation | undefined): { id: string; fingerprint: string } {
  const observation = {
    type: 'checkout',
    severity: 'info' as const,
    source: null,
    message: 'Paid',
    payload: {},
    correlation,
  };
  const event = toQueuedEvent(PROJECT_ID, observation, 1_700_000_000_000);
  return { id: event.correlationId, fingerprint: event.fingerprint };
}

describe('the correlation id', () => {
  const all = { a: 'first', user_id: 'usr', customer_id: 'cus', order_id: 'ord', correlation_id: 'cor' };

  it.each([
    ['correlation_id', all, 'cor'],
    ['order_id', { ...all, correlation_id: '' }, 'ord'],
    ['customer_id', { ...all, correlation_id: null, order_id: '' }, 'cus'],
    ['user_id', { a: 'first', user_id: 'usr' }, 'usr'],
    ['trace_id', { a: 'first', trace_id: 'tra' }, 'tra'],
    ['the first key in alphabetical order', { zebra: 'z', apple: 'a', mango: 'm' }, 'a'],
    ['the first key that has a value', { zebra: 'z', apple: '', banana: null }, 'z'],
  ])('derives the correlation id from %s', (_what, correlation, expected) => {
    expect(findCorrelationId(correlation)).toBe(expected);
  });

  it('uses numbers and booleans as text in a correlation id, zero and false included', () => {
    expect(findCorrelationId({ order_id: 1042 })).toBe('1042');
    expect(findCorrelationId({ order_id: 0 })).toBe('0');
    expect(findCorrelationId({ order_id: false })).toBe('false');
  });

  it('uses the fingerprint as correlation id where no key has a value', () => {
    for (const correlation of [undefined, {}, { order_id: '', user_id: null }]) {
      const { id, fingerprint } = correlationIdOf(correlation);
      expect(id).toBe(fingerprint);
    }
  });

  it('treats __proto__ and constructor as ordinary keys', () => {
    expect(findCorrelationId(JSON.parse('{"__proto__":"p"}') as Correlation)).toBe('p');
    expect(findCorrelationId(JSON.parse('{"constructor":"c"}') as Correlation)).toBe('c');
    expect(findCorrelationId({})).toBeNull();
  });

  it('never derives a correlation id that is null, empty or no text', () => {
    const value = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString', 'order_id'));
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.option(value)), { maxLength: 32 }), (entries) => {
        const { id } = correlationIdOf(Object.fromEntries(entries));
        expect(id).toEqual(expect.stringMatching(/^[^]+$/));
      }),
    );
  });
});
