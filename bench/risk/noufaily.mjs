import { Random, seedsOf } from '@tocsin/simulation/random';
import { IDLE } from '../../packages/detector/dist/series/alarm-state.js';
import { beginStep, seasonalPositionOf } from '../../packages/detector/dist/series/seasonality.js';
import {
  createSeries,
  evaluatePartialStep,
  evaluateStep,
} from '../../packages/detector/dist/series/series-detector.js';
import { createWorkspace } from '../../packages/detector/dist/series/workspace.js';
import { resolutionOf } from '../../packages/detector/dist/state/resolution.js';
import { SeriesState } from '../../packages/detector/dist/state/series-state.js';
import { UP } from '../../packages/detector/dist/state/side.js';
import { printTable } from './table.mjs';

/** A year is taken for a day, since the detector learns the time of day: 52 steps of 28 minutes. */
const WEEKS_A_YEAR = 52;
const RESOLUTION = resolutionOf(1_440 / WEEKS_A_YEAR);
const WORKSPACE = createWorkspace();
const WEEKS = 624;
const JUDGED_WEEKS = 49;
const FALSE_SHARE = 0.01;
const BUDGETS = [1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 50, 100, 200];

/** Level, dispersion, trend and season of Noufaily's series (2013), each with and without a trend and 0 to 2 waves. */
const SERIES = [
  [0.1, 1.5, 0.0025, 0.6, 0.6],
  [-2, 2, 0.005, 0.1, 0.3],
  [1.5, 1, 0.003, 0.2, -0.4],
  [0.5, 5, 0.002, 0.5, 0.5],
  [2.5, 3, 0.001, 1, 0.1],
  [3.75, 1.1, 0.001, 0.1, -0.1],
  [5, 1.2, 0.0001, 0.05, 0.01],
];
const SCENARIOS = SERIES.flatMap(([theta, phi, beta, cosine, sine]) =>
  [0, beta].flatMap((trend) => [0, 1, 2].map((waves) => ({ theta, phi, trend, waves, cosine, sine }))),
);

/**
 * Weekly counts of an illness with one outbreak in the last year: how many are found, at 1% of false weeks.
 * @param {{ runs: number, half: 'tune' | 'report' }} options
 */
export function evaluateNoufaily({ runs, half }) {
  const budget = BUDGETS.findLast(
    (each) => judgeAll('tune', runs, (counts) => ours(counts, each)).falseShare <= FALSE_SHARE,
  );
  const rows = [];
  const add = (name, { found, falseShare }) =>
    rows.push([name, `${Math.round(100 * found)}%`, `${(100 * falseShare).toFixed(2)}%`]);
  add(
    `Tocsin, budget ${budget}`,
    judgeAll(half, runs, (counts) => ours(counts, budget ?? BUDGETS[0])),
  );
  for (const [name, scores] of [
    ['2/3-power z-score', seasonalScores],
    ['CUSUM of it', cusum],
  ]) {
    const { calm } = judgeAll('tune', runs, (counts) => scores(counts).map((score) => score > 0), scores);
    const threshold = calm.toSorted((a, b) => a - b)[Math.floor((1 - FALSE_SHARE) * calm.length)];
    add(
      name,
      judgeAll(half, runs, (counts) => scores(counts).map((score) => score > threshold)),
    );
  }
  printTable(
    `Noufaily's ${SCENARIOS.length} scenarios, ${runs} runs each`,
    ['Method', 'Outbreaks found', 'False weeks'],
    rows,
  );
}

function judgeAll(half, runs, alarmsOf, scoresOf = null) {
  let [found, outbreaks, falseWeeks, calmWeeks] = [0, 0, 0, 0];
  const calm = [];
  for (const [index, scenario] of SCENARIOS.entries()) {
    for (const seed of seedsOf(half, runs)) {
      const { counts, from, to } = simulate(new Random(Math.imul(seed, 7919) + index), scenario);
      const alarms = alarmsOf(counts);
      const scores = scoresOf?.(counts);
      let isFound = false;
      for (let week = WEEKS - JUDGED_WEEKS; week < WEEKS; week++) {
        if (week >= from && week <= to) {
          isFound ||= alarms[week];
          continue;
        }
        calmWeeks++;
        if (alarms[week]) falseWeeks++;
        if (scores) calm.push(scores[week]);
      }
      outbreaks++;
      if (isFound) found++;
    }
  }
  return { found: found / outbreaks, falseShare: falseWeeks / calmWeeks, calm };
}

function simulate(random, { theta, phi, trend, waves, cosine, sine }) {
  const means = Array.from({ length: WEEKS }, (_, week) => {
    let season = 0;
    for (let wave = 1; wave <= waves; wave++) {
      const angle = (2 * Math.PI * wave * week) / WEEKS_A_YEAR;
      season += cosine * Math.cos(angle) + sine * Math.sin(angle);
    }
    return Math.exp(theta + trend * week + season);
  });
  const counts = means.map((mean) => random.count(mean, phi));
  const from = WEEKS - JUDGED_WEEKS + Math.floor(random.uniform() * (JUDGED_WEEKS - 8));
  const strength = 2 + Math.floor(9 * random.uniform());
  const cases = Math.max(1, random.poisson(strength * Math.sqrt(phi * means[from])));
  let to = from;
  for (let i = 0; i < cases; i++) {
    const week = Math.min(WEEKS - 1, from + Math.floor(Math.exp(0.5 * random.normal())));
    counts[week]++;
    to = Math.max(to, week);
  }
  return { counts, from, to };
}

/**
 * A week is an alarm where its evidence is above its open threshold, as with the other methods: whether an alarm is
 * open already, and whether the effect is large enough to open one, is left out.
 */
function ours(counts, budgetPerWeek) {
  const context = { resolution: RESOLUTION, pooledTails: null, budgetPerWeek };
  const state = createSeries(context, WORKSPACE);
  return counts.map((count, week) => {
    const now = {
      ...context,
      position: seasonalPositionOf(RESOLUTION, week * RESOLUTION.stepMinutes * 60_000),
    };
    const isBeyond = week >= WEEKS - JUDGED_WEEKS && isBeyondThreshold(state, now, count);
    evaluateStep(state, now, count, WORKSPACE);
    return isBeyond;
  });
}

/** What evaluating a part of the step would bring if no alarm were open, and nothing had been reported. */
function isBeyondThreshold(state, now, count) {
  const copy = new SeriesState(state.toBytes());
  beginStep(copy, now.position);
  copy.setStatus(UP, IDLE);
  copy.setReportedReason(UP, 0);
  return evaluatePartialStep(copy, now, count, WORKSPACE).some(
    ({ kind }) => kind === 'opens' || kind === 'suppressed',
  );
}

/**
 * A z-score of the count to the power 2/3 against the same weeks, three before and after, of five years. The power and the
 * reference weeks are those of Farrington et al. (1996); their regression, trend and reweighting of past outbreaks are not
 * here, so it is neither their algorithm nor that of Noufaily et al. (2013).
 */
function seasonalScores(counts) {
  return counts.map((count, week) => scoreOf(counts, count, week));
}

function cusum(counts) {
  let sum = 0;
  return counts.map((count, week) => {
    sum = Math.max(0, sum + scoreOf(counts, count, week) - 1);
    return sum;
  });
}

function scoreOf(counts, count, week) {
  const past = [];
  for (let year = 1; year <= 5; year++) {
    for (let near = -3; near <= 3; near++) {
      const value = counts[week - year * WEEKS_A_YEAR + near];
      if (value !== undefined) past.push(value);
    }
  }
  if (past.length < 20) return 0;
  const mean = Math.max(0.05, past.reduce((sum, value) => sum + value, 0) / past.length);
  const variance = past.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (past.length - 1);
  const dispersion = Math.max(1, variance / mean);
  // Counts to the power 2/3 are nearly normal.
  const spread = (2 / 3) * mean ** (2 / 3) * Math.sqrt((dispersion / mean) * (1 + 1 / past.length));
  return (count ** (2 / 3) - mean ** (2 / 3)) / spread;
}
