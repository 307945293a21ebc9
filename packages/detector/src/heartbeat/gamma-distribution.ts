/** ln Γ(x) by Stirling's series, after moving x to where it is exact. */
export function logGamma(x: number): number {
  let moved = x;
  let shift = 0;
  for (; moved < 8; moved++) shift += Math.log(moved);
  const inverse = 1 / moved;
  const series = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1_260;
  return (moved - 0.5) * Math.log(moved) - moved + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/** ψ(x), the derivative of ln Γ. */
export function digamma(x: number): number {
  let moved = x;
  let shift = 0;
  for (; moved < 8; moved++) shift += 1 / moved;
  const inverse = 1 / moved;
  return Math.log(moved) - inverse / 2 - inverse ** 2 / 12 + inverse ** 4 / 120 - inverse ** 6 / 252 - shift;
}

/** The z that a standard normal exceeds with this chance, at most one half (Abramowitz and Stegun 26.2.23). */
export function normalUpperQuantile(chance: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(0.5, chance)));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return t - above / below;
}

/** What a gamma distribution of mean 1 exceeds with this chance (Wilson and Hilferty, 1931). */
export function gammaUpperQuantile(shape: number, chance: number): number {
  const part = 1 / (9 * shape);
  return Math.max(0, 1 - part + normalUpperQuantile(chance) * Math.sqrt(part)) ** 3;
}
