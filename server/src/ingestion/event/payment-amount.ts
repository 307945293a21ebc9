import { isObject } from '../../platform/json/json-object.ts';

/** Amount of a payment in the smallest unit of its currency. */
export interface PaymentAmount {
  amount: number;
  /** Three letters in upper case. */
  currency: string;
}

const CURRENCY = /^[A-Za-z]{3}$/;

/**
 * Reads the amount of a payment from its payload: from the processor's object in `data`, such as a charge or an
 * invoice, else from `data`, else from the payload. Null where it has no whole amount of at least 0 with a currency.
 */
export function readAmount(payload: Record<string, unknown>): PaymentAmount | null {
  const data = isObject(payload['data']) ? payload['data'] : payload;
  const { amount, amount_due: amountDue, currency } = isObject(data['object']) ? data['object'] : data;
  const said = amount ?? amountDue;
  if (!isWhole(said) || typeof currency !== 'string' || !CURRENCY.test(currency)) return null;
  return { amount: said, currency: currency.toUpperCase() };
}

function isWhole(amount: unknown): amount is number {
  return Number.isSafeInteger(amount) && Number(amount) >= 0;
}
