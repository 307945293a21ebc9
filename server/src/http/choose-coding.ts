/** Content codings that prepared answers have, the best first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number] | 'identity';

/** What is read of `Accept-Encoding`: a header has few codings. */
const MAX_ITEMS = 20;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** The coding that a client prefers by `Accept-Encoding`; an item that cannot be read counts as refused. */
export function chooseCoding(header: string | undefined): Coding {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').split(',', MAX_ITEMS)) {
    const [name = '', ...parameters] = item.split(';').map((text) => text.trim());
    weights.set(name.toLowerCase(), weightOf(parameters));
  }
  const others = weights.get('*') ?? 0;
  let [best, bestWeight]: [Coding, number] = ['identity', weights.get('identity') ?? 0];
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others;
    // Of equal weight, the service prefers the smaller.
    if (weight > bestWeight || (weight > 0 && weight === bestWeight && best === 'identity'))
      [best, bestWeight] = [coding, weight];
  }
  return best;
}

function weightOf(parameters: string[]): number {
  if (parameters.length === 0) return 1;
  const [, weight] = (parameters.length === 1 && WEIGHT.exec(parameters[0] ?? '')) || [];
  return weight === undefined ? 0 : Number(weight);
}
