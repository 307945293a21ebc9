const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });

/** A share of 1 as `3.2%`; with its sign, as a difference, `+3.2%`. */
export function formatShare(share: number, withSign = false): string {
  return `${withSign && share > 0 ? '+' : ''}${SHARE.format(share).replace('-', '−')}`;
}
