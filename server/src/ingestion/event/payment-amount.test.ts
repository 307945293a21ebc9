import { expect, it } from 'vitest';
import { readAmount } from './payment-amount.ts';

it.each([
  ['a charge', { data: { object: { amount: 4200, currency: 'eur' } } }, 4200],
  ['an invoice', { data: { object: { amount_due: 4200, currency: 'EUR' } } }, 4200],
  ['the data of a notice', { data: { amount: 4200, currency: 'Eur', object: 'charge' } }, 4200],
  ['an event of the type payment', { amount: 0, currency: 'eur' }, 0],
])('reads the amount of %s', (_, payload, amount) => {
  expect(readAmount(payload)).toEqual({ amount, currency: 'EUR' });
});

it.each([
  ['is negative', -1, 'eur'],
  ['is a text', '4200', 'eur'],
  ['is no whole number', 42.5, 'eur'],
  ['cannot be held exactly', 2 ** 53, 'eur'],
  ['is missing', undefined, 'eur'],
  ['has no currency', 4200, undefined],
  ['has a currency of four letters', 4200, 'usdc'],
  ['has a currency with digits', 4200, 'eu1'],
  ['has a list as currency', 4200, ['eur']],
])('ignores an amount that %s', (_, amount, currency) => {
  expect(readAmount({ data: { object: { amount, currency } } })).toBeNull();
});
