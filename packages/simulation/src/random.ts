/** Random numbers that are the same at each run, and the distributions of counts. */
export class Random {
  #state: number;
  #spare = Number.NaN;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Number in [0, 1): mulberry32. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  /** Marsaglia and Tsang, 2000. */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * (1 - this.uniform()) ** (1 / shape);
    const d = shape - 1 / 3;
    for (;;) {
      const x = this.normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(1 - this.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  poisson(mean: number): number {
    if (mean <= 0) return 0;
    if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    // A large mean is halved: the sum of two is Poisson too.
    if (mean > 30) return this.poisson(mean / 2) + this.poisson(mean / 2);
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = 1 - this.uniform(); product > limit; product *= 1 - this.uniform()) count++;
    return count;
  }

  /** Negative binomial of variance φ·mean. */
  count(mean: number, dispersion: number): number {
    if (dispersion <= 1 || mean <= 0) return this.poisson(mean);
    return this.poisson(this.gamma(mean / (dispersion - 1)) * (dispersion - 1));
  }
}

export type Half = 'tune' | 'report';

/**
 * Half that a seed belongs to, by a hash that never changes: settings are chosen on one, figures are reported of the
 * other.
 */
function halfOf(seed: number): Half {
  return (Math.imul(seed + 1, 0x9e3779b1) >>> 0) & 0x10000 ? 'tune' : 'report';
}

/** The first seeds of a half. */
export function seedsOf(half: Half, count: number): number[] {
  const seeds: number[] = [];
  for (let seed = 1; seeds.length < count; seed++) if (halfOf(seed) === half) seeds.push(seed);
  return seeds;
}
