const MINUTES_A_DAY = 1_440;
/** Days before that are compared, each with the step before and after the same time. */
const DAYS = 14;
const REACH = 1;
const MIN_DAYS = 7;
const ROUNDS = 3;
/** A trend is kept where it differs from none by so many of its standard errors. */
const SIGNIFICANT = 1.96;
/** Lower bound of an expected count. */
const LEAST = 0.05;

interface Reference {
  /** Days before the present, as negative numbers. */
  day: number;
  /** Sum of its steps. */
  sum: number;
  weight: number;
}

/**
 * The quasi-Poisson regression of Farrington et al. (1996), with days for years: the steps around the same time of 14 days,
 * a log-linear trend where it is significant, days of large residuals counting less; a z-score of counts to the power 2/3.
 */
export function farringtonScores(counts: readonly number[], stepMinutes: number): number[] {
  const day = MINUTES_A_DAY / stepMinutes;
  return counts.map((count, step) => {
    const past: Reference[] = [];
    for (let back = 1; back <= DAYS && step - back * day - REACH >= 0; back++) {
      let sum = 0;
      for (let near = -REACH; near <= REACH; near++) sum += counts[step - back * day + near] ?? 0;
      past.push({ day: -back, sum, weight: 1 });
    }
    return past.length < MIN_DAYS ? 0 : Math.abs(scoreOf(count, past));
  });
}

function scoreOf(count: number, past: Reference[]): number {
  let fitted = fit(past);
  for (const reference of past) {
    const mean = meanOn(fitted, reference.day);
    const residual =
      (1.5 * (reference.sum ** (2 / 3) * mean ** (-1 / 6) - Math.sqrt(mean))) / Math.sqrt(fitted.dispersion);
    reference.weight = residual > 1 ? residual ** -2 : 1;
  }
  fitted = fit(past);
  const steps = 2 * REACH + 1;
  const mean = Math.max(LEAST, meanOn(fitted, 0) / steps);
  const ofMean = Math.min(1, fitted.variance) * mean * mean;
  const spread = (2 / 3) * mean ** (-1 / 3) * Math.sqrt(fitted.dispersion * mean + ofMean);
  return (count ** (2 / 3) - mean ** (2 / 3)) / spread;
}

interface Fit {
  intercept: number;
  slope: number;
  dispersion: number;
  /** Relative variance of the mean of the present. */
  variance: number;
}

function meanOn({ intercept, slope }: Fit, day: number): number {
  return Math.exp(intercept + slope * day);
}

function fit(past: readonly Reference[]): Fit {
  const trend = fitTrend(past);
  const isSignificant = Math.abs(trend.slope) > SIGNIFICANT * Math.sqrt(trend.ofSlope);
  return isSignificant ? trend : fitMean(past);
}

function fitMean(past: readonly Reference[]): Fit {
  const weights = past.reduce((sum, { weight }) => sum + weight, 0);
  const mean = Math.max(LEAST, past.reduce((sum, each) => sum + each.weight * each.sum, 0) / weights);
  const flat = { intercept: Math.log(mean), slope: 0, dispersion: 1, variance: 0 };
  const dispersion = dispersionOf(past, flat, 1);
  return { ...flat, dispersion, variance: dispersion / (weights * mean) };
}

/** Iteratively reweighted least squares with a logarithm as link. */
function fitTrend(past: readonly Reference[]): Fit & { ofSlope: number } {
  let fitted: Fit = fitMean(past);
  let [determinant, ofDays, ofAll] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    let [w, wd, wdd, wz, wdz] = [0, 0, 0, 0, 0];
    for (const { day, sum, weight } of past) {
      const mean = Math.max(LEAST, meanOn(fitted, day));
      const z = Math.log(mean) + (sum - mean) / mean;
      const each = weight * mean;
      w += each;
      wd += each * day;
      wdd += each * day * day;
      wz += each * z;
      wdz += each * day * z;
    }
    determinant = w * wdd - wd * wd;
    [ofDays, ofAll] = [wdd, w];
    const slope = (w * wdz - wd * wz) / determinant;
    fitted = { ...fitted, intercept: (wz - slope * wd) / w, slope };
  }
  const dispersion = dispersionOf(past, fitted, 2);
  const variance = (dispersion * ofDays) / determinant;
  return { ...fitted, dispersion, variance, ofSlope: (dispersion * ofAll) / determinant };
}

/** Pearson's statistic over the degrees of freedom; Poisson counts at least. */
function dispersionOf(past: readonly Reference[], fitted: Fit, parameters: number): number {
  const sum = past.reduce((all, { day, sum: of, weight }) => {
    const mean = Math.max(LEAST, meanOn(fitted, day));
    return all + (weight * (of - mean) ** 2) / mean;
  }, 0);
  return Math.max(1, sum / (past.length - parameters));
}
