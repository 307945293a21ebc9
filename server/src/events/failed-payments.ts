import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../http/schemas.ts';
import { uuidTime } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { formatMoney, toDecimal } from './money.ts';
import type { AddedPayments, PaymentRange } from './read-types.ts';
import type { EventReads } from './reader.ts';

/** Maximum currencies that an answer lists. */
const MAX_LISTED = 10;
/** Maximum currencies that a sentence names. */
const MAX_NAMED = 3;

export const FailedPayments = Type.Object({
  count: Type.Integer(),
  amounts: Type.Array(
    Type.Object({
      currency: Type.String({ examples: ['EUR'] }),
      amount: Type.String({ description: 'Exact sum, in decimals.', examples: ['4210.00'] }),
      count: Type.Integer({ description: 'Number of failed payments in it.' }),
    }),
    {
      description: `Sums by currency, at most ${MAX_LISTED}: that of the most payments first. Payments without an amount are in \`count\` alone.`,
    },
  ),
  otherCurrencies: Type.Integer({ description: 'Number of further ones.' }),
  from: Nullable(
    Type.String({
      ...Timestamp,
      description:
        'Time from which on they are added up: retention removed earlier ones, or there are too many to read. Null: all are.',
    }),
  ),
  text: Type.String({ examples: ['37 failed payments, €4,210'] }),
});
export type FailedPayments = Static<typeof FailedPayments>;

/**
 * Adds up the failed payments among events.
 * @param keptFrom first minute that retention has left; null: it has left all of the range
 * @returns null if none of them has an amount
 */
export async function sumFailedPayments(
  events: Pick<EventReads, 'addFailedPayments'>,
  organizationId: string,
  range: PaymentRange,
  keptFrom: Date | null = null,
): Promise<FailedPayments | null> {
  return describePayments(await events.addFailedPayments(organizationId, range), keptFrom);
}

/** @param added sums by currency, the one of the most payments first */
export function describePayments(
  added: readonly AddedPayments[],
  keptFrom: Date | null = null,
): FailedPayments | null {
  const sums = added.flatMap(({ currency, count, amount }) =>
    currency === null || amount === null ? [] : [{ currency, amount: toDecimal(amount, currency), count }],
  );
  if (sums.length === 0) return null;
  const count = added.reduce((sum, part) => sum + part.count, 0);
  const firstId = added[0]?.firstId ?? null;
  const from = firstId === null ? keptFrom : new Date(uuidTime(firstId));
  return {
    count,
    amounts: sums.slice(0, MAX_LISTED),
    otherCurrencies: Math.max(0, sums.length - MAX_LISTED),
    from: from && isoTime(from),
    text: wordPayments(count, sums, from !== null),
  };
}

/** "37 failed payments, €4,210"; "at least" if earlier ones were not read. */
function wordPayments(count: number, sums: FailedPayments['amounts'], isPart: boolean): string {
  const named = sums.slice(0, MAX_NAMED).map(formatMoney);
  const further = sums.length - named.length;
  const amounts = named.join(' + ') + (further > 0 ? ` and ${further} more` : '');
  const withAmount = sums.reduce((sum, part) => sum + part.count, 0);
  const part = withAmount < count ? ` in ${withAmount.toLocaleString('en')} of them` : '';
  const payments = `${count.toLocaleString('en')} failed ${count === 1 ? 'payment' : 'payments'}`;
  return `${isPart ? 'at least ' : ''}${payments}, ${amounts}${part}`;
}
