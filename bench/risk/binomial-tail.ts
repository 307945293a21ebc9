/**
 * How unlikely so many successes or more are: −ln P(X ≥ k), X binomial. The terms are summed from the k-th on, each from
 * the one before; exact but for rounding (some 10⁻¹³ at the few thousand trials that are asked for).
 */
function binomialEvidence(k: number, trials: number, chance: number): number {
  if (k <= 0) return 0;
  let logTerm = k * Math.log(chance) + (trials - k) * Math.log1p(-chance);
  for (let i = 1; i <= k; i++) logTerm += Math.log((trials - k + i) / i);
  let sum = 1;
  let term = 1;
  for (let i = k; i < trials && term > 1e-17 * sum; i++) {
    term *= (((trials - i) / (i + 1)) * chance) / (1 - chance);
    sum += term;
  }
  return -(logTerm + Math.log(sum));
}

/** The fewest trials at which a constant share of successes is that unlikely. */
export function trialsNeeded(share: number, chance: number, evidence: number): number {
  let trials = 1;
  while (binomialEvidence(Math.floor(share * trials + 1e-9), trials, chance) < evidence) trials++;
  return trials;
}
