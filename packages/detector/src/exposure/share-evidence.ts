/** Usual share, from before the evaluated time. */
export interface UsualShare {
  /** Natural logarithm of failures over the other trials. */
  logOdds: number;
  /** Variance of the logarithm of the odds, by the wandering of the share and by its uncertainty. */
  variance: number;
  /** Variance of the failures over that of a binomial distribution. */
  dispersion: number;
}

/** Failures among trials. */
export interface Outcomes {
  failures: number;
  /** Trials, with the failures. */
  trials: number;
}

export const NO_OUTCOMES: Outcomes = { failures: 0, trials: 0 };

export interface ShareEvidence {
  nats: number;
  /** Part of it that the wandering explains, if only chance is at work. */
  ofWandering: number;
}

/**
 * Returns the evidence in nats that more fail than usual: the log-likelihood ratio of beta–binomial failures (West & Harrison, 1997). The
 * usual share p is known as from a failures among a/p trials, half the deviance of which and of the f failures of n is taken
 * from a share of both (McCullagh & Nelder, 1989): how unlikely the most favourable share and the failures left over it are
 * together. Where few of many fail it is that of negative binomial counts of size a. Where failures and others are two Poisson
 * counts, their share given their sum is binomial (Przyborowski & Wilenski, 1940): so it also compares the rates of two counts.
 *
 * The relative variance 1/a has two parts. That of clumps is (φ − 1)/m, of the dispersion φ where m are expected. That of the log
 * odds, (1 − p)·σ², is a normal variate's, whose upper tail is longer than that of a beta distribution: it is multiplied
 * by 2(e^u − 1 − u)/u², with which both tails are the same at the rise u of the share that the variance alone would make.
 *
 * Domain: 0 ≤ f ≤ n, σ² > 0, φ ≥ 1; 0 where no more fail than usual. Error against the least evidence of all normal
 * variates: a tenth for p up to 0.1 and σ² up to 0.5.
 */
export function shareEvidence(outcomes: Outcomes, usual: UsualShare): ShareEvidence {
  const { failures, trials } = outcomes;
  const share = toShare(usual.logOdds);
  const expected = trials * share;
  if (failures <= expected) return { nats: 0, ofWandering: 0 };
  const ofClumps = (usual.dispersion - 1) / expected;
  const poolWith = (ofShare: number) => {
    const prior = { failures: 1 / (ofShare + ofClumps), trials: 1 / ((ofShare + ofClumps) * share) };
    return { ofShare, prior, pooled: (failures + prior.failures) / (trials + prior.trials) };
  };
  const normal = (1 - share) * usual.variance;
  const rise = Math.log(poolWith(normal).pooled / share);
  const { ofShare, prior, pooled } = poolWith((normal * 2 * (Math.expm1(rise) - rise)) / rise ** 2);
  const explained = divergence(prior, pooled);
  return {
    nats: divergence(outcomes, pooled) + explained,
    ofWandering: (explained * ofShare) / (ofShare + ofClumps),
  };
}

/** Returns half the binomial deviance. */
export function divergence({ failures, trials }: Outcomes, share: number): number {
  const others = trials - failures;
  const failed = failures > 0 ? failures * Math.log(failures / (trials * share)) : 0;
  return failed + (others > 0 ? others * Math.log(others / (trials * (1 - share))) : 0);
}

export function toShare(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

export function toLogOdds(share: number): number {
  return Math.log(share / (1 - share));
}
