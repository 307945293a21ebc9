const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });

/** Formats a share of 1 as `3.2%`, or a difference with its sign as `+3.2%`. */
export function formatShare(share: number, withSign = false): string {
  return `${withSign && share > 0 ? '+' : ''}${SHARE.format(share).replace('-', '−')}`;
}
