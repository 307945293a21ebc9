import { type PastCounts, replay } from '@tocsin/detector';
import { MINUTE_MS } from './project.ts';

/** First and last step of what a person on call wants to know of. */
export interface Label {
  from: number;
  to: number;
  isDrop: boolean;
}

/** Counts whose incidents are known. */
export interface LabelledSeries extends PastCounts {
  counts: number[];
  labels: Label[];
}

export interface Score {
  labels: number;
  /** An incident opened from the first step of the label on, and at most the allowed steps after its last. */
  found: number;
  drops: number;
  dropsFound: number;
  /** Further labels that began while an incident was open. */
  inside: number;
  falseIncidents: number;
  weeks: number;
}

/** @param graceSteps after a label in which an incident may still open */
export function scoreSeries(series: LabelledSeries, budgetPerWeek: number, graceSteps: number): Score {
  const stepMs = series.stepMinutes * MINUTE_MS;
  const stepOf = (timeMs: number) => Math.round((timeMs - series.startMs) / stepMs);
  const incidents = replay(series, budgetPerWeek).map(({ openedAtMs, resolvedAtMs }) => ({
    opened: stepOf(openedAtMs),
    resolved: resolvedAtMs === null ? Number.POSITIVE_INFINITY : stepOf(resolvedAtMs),
  }));
  const isOf = ({ from, to }: Label, step: number) => step >= from && step <= to + graceSteps;
  const isFound = (label: Label) => incidents.some(({ opened }) => isOf(label, opened));
  const isInside = ({ from }: Label) =>
    incidents.some(({ opened, resolved }) => opened < from && resolved >= from);
  return {
    labels: series.labels.length,
    found: series.labels.filter(isFound).length,
    drops: series.labels.filter(({ isDrop }) => isDrop).length,
    dropsFound: series.labels.filter((label) => label.isDrop && isFound(label)).length,
    inside: series.labels.filter((label) => !isFound(label) && isInside(label)).length,
    falseIncidents: incidents.filter(({ opened }) => !series.labels.some((label) => isOf(label, opened)))
      .length,
    weeks: (series.counts.length * series.stepMinutes) / 10_080,
  };
}

export function addScores(scores: Score[]): Score {
  const sum = (of: keyof Score) => scores.reduce((all, score) => all + score[of], 0);
  return {
    labels: sum('labels'),
    found: sum('found'),
    drops: sum('drops'),
    dropsFound: sum('dropsFound'),
    inside: sum('inside'),
    falseIncidents: sum('falseIncidents'),
    weeks: sum('weeks'),
  };
}
