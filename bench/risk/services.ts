import { Random, seedsOf } from '@tocsin/simulation/random';
import { addScores, type LabelledSeries, type Score, scoreSeries } from './labelled-series.ts';
import { createAppCrashes, createRides } from './slow-series.ts';
import { printTable } from './table.ts';
import { type EvaluationOptions, percent } from './warm-projects.ts';
import { createWebService } from './web-service.ts';

/** Web services are cheap: so many for each project that is asked for. */
const SERVICES_A_PROJECT = 5;
/** An incident may open so many steps after its label. */
const GRACE_MINUTES = 5;
const GRACE_STEPS = 1;
/** Upper limits of the bands of requests a minute. */
const BANDS = [50, 500, 5_000];
const BUDGET = 1;

/**
 * Series that are alone in their project, replayed at the default budget: requests a minute of web services, calm ones
 * and ones full of short drops; crashes of apps an hour; rides of taxis in half an hour.
 */
export function evaluateServices({ projects, half }: EvaluationOptions): void {
  const seeds = (count: number) => seedsOf(half, count).map((seed) => Math.imul(seed, 2_654_435_761));
  const many = seeds(SERVICES_A_PROJECT * projects);
  const eventful = many.map((seed) => createWebService(new Random(seed), false));
  const calm = many.map((seed) => createWebService(new Random(seed ^ 1), true));
  const rows = [toRow('Web services a minute, with incidents', eventful, GRACE_MINUTES)];
  BANDS.forEach((most, index) => {
    const least = BANDS[index - 1] ?? 0;
    const band = eventful.filter(({ scale }) => scale > least && scale <= most);
    rows.push(toRow(`of them up to ${most} a minute`, band, GRACE_MINUTES));
  });
  rows.push(toRow('Web services a minute, calm', calm, GRACE_MINUTES));
  const few = seeds(projects);
  rows.push(
    toRow(
      'App crashes an hour',
      few.map((seed) => createAppCrashes(new Random(seed))),
      GRACE_STEPS,
    ),
  );
  rows.push(
    toRow(
      'Rides in half an hour',
      few.map((seed) => createRides(new Random(seed))),
      GRACE_STEPS,
    ),
  );
  printTable(
    `Services: single series at a budget of ${BUDGET}`,
    [
      'Series',
      'Number',
      'Weeks',
      'Found',
      'Share',
      'Of drops',
      'Of rises',
      'Inside an open incident',
      'False a series-week',
    ],
    rows,
  );
}

function toRow(title: string, series: LabelledSeries[], graceSteps: number): (string | number)[] {
  const score: Score = addScores(series.map((each) => scoreSeries(each, BUDGET, graceSteps)));
  return [
    title,
    series.length,
    Math.round(score.weeks),
    score.labels === 0 ? '' : `${score.found} of ${score.labels}`,
    percent(score.found, score.labels),
    percent(score.dropsFound, score.drops),
    percent(score.found - score.dropsFound, score.labels - score.drops),
    score.labels === 0 ? '' : score.inside,
    score.weeks === 0 ? '' : (score.falseIncidents / score.weeks).toFixed(2),
  ];
}
