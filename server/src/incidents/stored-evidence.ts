import type { Severity } from '../events/severity.ts';
import type { AttachedSeries, Evidence, RiskSeries } from './evidence-schema.ts';
import { releaseSentence, toPast } from './wording.ts';

/** Evidence as a row holds it: beside what the API answers, what later changes of the incident follow from. */
export type StoredEvidence = Omit<Evidence, 'alsoSeries'> & {
  alsoSeries: AttachedSeries[];
  /** When another series became the headline last; missing: it is the first. */
  headlineAt?: string;
  /** The part of a sum of which nearly all of it is, and that the sentence names in its place. */
  namedSeries?: RiskSeries;
  /** The sources that the sentence counts; missing where it counts none. */
  countedSources?: string[];
  /** The count of events at which releases were compared last. */
  releaseLookedAt?: number;
  /** What the headline counts; missing until it was counted first. */
  lead?: StoredLead;
};

/** What the lead of an incident counts, and how far it is counted. Times in ISO 8601. */
export interface StoredLead {
  /** UUID of the group of a new error; null: the series is counted. */
  groupId: string | null;
  since: string;
  /** Events of the lead in the minute of `since`, before it. */
  before: number;
  /** Beginning of a minute: those before it are counted in `events`. */
  through: string;
  events: number;
  /** The group with most of its events, as it was then; null: none has so many. */
  main: MainGroup | null;
}

export interface MainGroup {
  /** UUID. */
  groupId: string;
  key: string;
  title: string;
  source: string | null;
  severity: Severity;
  share: number;
  /** Releases that ever had it, the newest first. */
  releases: string[];
}

/** Whether a sum holds all events of a series: what it says has been said. */
function isSuperset({ kind, source, type, rule }: AttachedSeries, series: RiskSeries): boolean {
  if (kind === series.kind) return false;
  const isSum = kind === 'total' || (kind === 'errors' && series.kind !== 'total');
  const isRule =
    kind === 'rule' && rule === 'at_least' && series.kind !== 'total' && series.kind !== 'errors';
  const holds = (own: string | null, of: string | null) => own === null || own === of;
  return isSum || (isRule && holds(source, series.source) && holds(type, series.type));
}

/** The sentence of a row, with what it says of releases: stored apart, since it may be known later. */
export function sentenceOf({ sentence, release }: Pick<StoredEvidence, 'sentence' | 'release'>): string {
  return release ? `${sentence} ${releaseSentence(release)}` : sentence;
}

/**
 * Evidence out of a row, with the whole sentence.
 * @param tense of what is over, the past
 */
export function readEvidence(stored: StoredEvidence, tense: 'present' | 'past' = 'present'): Evidence {
  const { headlineAt: _at, releaseLookedAt: _count, namedSeries: _named, ...kept } = stored;
  const { countedSources: _sources, lead: _lead, ...evidence } = kept;
  const said = sentenceOf(stored);
  const alsoSeries = stored.alsoSeries.map((each) => ({
    ...each,
    isSuperset: isSuperset(each, stored.series),
  }));
  return { ...evidence, sentence: tense === 'past' ? toPast(said) : said, alsoSeries };
}
