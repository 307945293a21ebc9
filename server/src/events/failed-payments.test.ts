import { describe, expect, it } from 'vitest';
import { describePayments } from './failed-payments.ts';

const sum = (currency: string | null, count: number, amount: string | null) => ({
  currency,
  count,
  amount,
  firstId: null,
});
const textOf = (...sums: ReturnType<typeof sum>[]) => describePayments(sums)?.text;

describe('the sum of failed payments', () => {
  it.each([
    ['EUR', '421000', '4210.00', '€4,210'],
    ['EUR', '5', '0.05', '€0.05'],
    ['USD', '0', '0.00', '$0'],
    ['JPY', '9800', '9800', '¥9,800'],
    ['KWD', '1234', '1.234', 'KWD\u00A01.234'],
    ['HUF', '421000', '4210.00', 'HUF\u00A04,210'],
    ['XYZ', '4210', '42.10', 'XYZ\u00A042.10'],
    ['XXX', '4210', '42.10', 'XXX\u00A042.10'],
  ])('words a sum in %s of %s units as the decimal %s, and as %s', (currency, units, amount, words) => {
    expect(describePayments([sum(currency, 1, units)])).toMatchObject({
      amounts: [{ currency, amount, count: 1 }],
      text: `1 failed payment, ${words}`,
    });
  });

  it('sums amounts exactly beyond the numbers that a double holds', () => {
    const described = describePayments([sum('EUR', 1, '900719925474099301')]);
    expect(described?.amounts[0]?.amount).toBe('9007199254740993.01');
  });

  it('names three currencies and the number of the others', () => {
    const sums = ['EUR', 'USD', 'JPY', 'GBP', 'CHF'].map((currency, index) =>
      sum(currency, 2_000 - index, '100'),
    );
    expect(textOf(...sums.slice(0, 2))).toBe('3,999 failed payments, €1 + $1');
    expect(textOf(...sums)).toBe('9,990 failed payments, €1 + $1 + ¥100 and 2 more');
  });

  it('lists ten currencies, and says how many it leaves out', () => {
    const sums = Array.from({ length: 12 }, (_, index) =>
      sum(`XA${String.fromCharCode(65 + index)}`, 1, '1'),
    );
    const described = describePayments(sums);
    expect(described?.amounts).toHaveLength(10);
    expect(described).toMatchObject({ count: 12, otherCurrencies: 2 });
  });

  it('says how many have an amount if not all have one, and is null if none has', () => {
    expect(textOf(sum('EUR', 35, '421000'), sum(null, 2, null))).toBe(
      '37 failed payments, €4,210 in 35 of them',
    );
    expect(textOf(sum(null, 2, null))).toBeUndefined();
  });

  it('says “at least” if earlier payments were removed or not read', () => {
    const kept = new Date('2026-11-21T09:00:00Z');
    expect(describePayments([sum('EUR', 2, '100')], kept)).toMatchObject({
      from: '2026-11-21T09:00:00.000Z',
      text: 'at least 2 failed payments, €1',
    });
  });
});
