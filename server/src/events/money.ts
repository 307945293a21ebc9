/** Formats by currency, which take longer to make than to use; emptied when full. */
const formats = new Map<string, Intl.NumberFormat>();
const MAX_FORMATS = 64;

/** Words a decimal in its currency: 42.10 of EUR are "€42.10", 42.00 are "€42". */
export function formatMoney({ amount, currency }: { amount: string; currency: string }): string {
  let format = formats.get(currency);
  if (!format) {
    if (formats.size >= MAX_FORMATS) formats.clear();
    format = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      trailingZeroDisplay: 'stripIfInteger',
    });
    formats.set(currency, format);
  }
  // The sign of an unknown currency names none.
  return format.format(Number(amount)).replace('¤', `${currency}\u00A0`);
}

/*
 * Digits of the amounts that processors send, as Stripe lists them: https://docs.stripe.com/currencies. Those of `Intl`
 * are for display, and lack the digits of HUF and IDR.
 */
const USUAL_DIGITS = 2;
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV'].map(
    (currency): [string, number] => [currency, 0],
  ),
  ...['XAF', 'XOF', 'XPF'].map((currency): [string, number] => [currency, 0]),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((currency): [string, number] => [currency, 3]),
]);

/** Returns whole smallest units as a decimal: 421000 units of EUR are 4210.00. */
export function toDecimal(units: string, currency: string): string {
  const digits = DIGITS.get(currency) ?? USUAL_DIGITS;
  const padded = units.padStart(digits + 1, '0');
  return digits === 0 ? units : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}
