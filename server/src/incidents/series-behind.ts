import type { RiskSeries } from './evidence-schema.ts';
import { readAttached, type StoredEvidence } from './stored-evidence.ts';

const isAbsence = (rule: string | null) => rule === 'drop' || rule === 'silence';

export interface SeriesBehind {
  series: RiskSeries[];
  /** The beginning of the first window of these series. */
  fromMs: number;
  /** Whether it is about events that are missing. */
  isAbsence: boolean;
}

/**
 * The series whose events an incident is about. Where something has risen, the events that still come of an attached drop
 * are those without the trouble, and left out.
 */
export function seriesBehind(evidence: StoredEvidence): SeriesBehind {
  const isAboutAbsence = isAbsence(evidence.rule);
  const attached = readAttached(evidence).filter(({ rule }) => isAboutAbsence || !isAbsence(rule));
  // An attached series may have begun before the headline.
  const fromMs = attached.reduce(
    (least, { from }) => (from === null ? least : Math.min(least, Date.parse(from))),
    Date.parse(evidence.from),
  );
  return { series: [evidence.series, ...attached], fromMs, isAbsence: isAboutAbsence };
}
