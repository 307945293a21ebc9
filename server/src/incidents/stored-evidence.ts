import type { Severity } from '../events/severity.ts';
import type { AttachedSeries, Evidence, RiskSeries } from './evidence-schema.ts';
import { releaseSentence, toPast } from './wording.ts';

/** Evidence as a row stores it: the API's fields, and the data that later changes of the incident need. */
export type StoredEvidence = Omit<Evidence, 'alsoSeries'> & {
  alsoSeries: AttachedSeries[];
  /** When another series became the headline last; missing: it is the first. */
  headlineAt?: string;
  /** Part of a sum that holds nearly all of it, and that the sentence names instead. */
  namedSeries?: RiskSeries;
  /** Sources that the sentence counts; missing if it counts none. */
  countedSources?: string[];
  /** Count of events at the last comparison of releases. */
  releaseComparedAt?: number;
  /** When all alarms had closed, if a person investigated then; missing: they have not. */
  endedAt?: string;
  /** Severity to which the alarm of the headline has risen; missing: that of its numbers. */
  leadSeverity?: Severity;
  /** Counts of the headline; missing until the first count. */
  lead?: StoredLead;
};

/** Counts of an incident's lead, and how far they go. Times in ISO 8601. */
export interface StoredLead {
  /** UUID of the group of a new error; null: the series is counted. */
  groupId: string | null;
  since: string;
  /** True if the change fills the searched time, so it may have begun before `since`. */
  mayBeEarlier?: true;
  /** Events of the lead in the minute of `since`, before that time. */
  before: number;
  /** Beginning of a minute: the minutes before it are counted in `events`. */
  through: string;
  events: number;
  /** Group with most of its events at that time; null: none has so many. */
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
  /** Releases that ever had the group, the newest first. */
  releases: string[];
}

/** True if a sum contains all events of a series: its description covers the series. */
function isSuperset({ kind, source, type, rule, field }: AttachedSeries, series: RiskSeries): boolean {
  if (kind === series.kind) return false;
  const isSum = kind === 'total' || (kind === 'errors' && series.kind !== 'total');
  const isRule =
    kind === 'rule' && rule === 'at_least' && !field && series.kind !== 'total' && series.kind !== 'errors';
  const holds = (own: string | null, of: string | null) => own === null || own === of;
  return isSum || (isRule && holds(source, series.source) && holds(type, series.type));
}

/** The sentence of a row, with the comparison of releases: stored separately, since it may be known later. */
export function sentenceOf({ sentence, release }: Pick<StoredEvidence, 'sentence' | 'release'>): string {
  return release ? `${sentence} ${releaseSentence(release)}` : sentence;
}

/** Reads the evidence of a row, with the whole sentence: in the past tense once the incident is over. */
export function readEvidence(stored: StoredEvidence, isResolved = false): Evidence {
  const { headlineAt: _at, releaseComparedAt: _count, namedSeries: _named, ...kept } = stored;
  const { countedSources: _sources, lead: _lead, leadSeverity: _severity, endedAt, ...evidence } = kept;
  const said = sentenceOf(stored);
  const alsoSeries = stored.alsoSeries.map((each) => ({
    ...each,
    isSuperset: isSuperset(each, stored.series),
  }));
  return { ...evidence, sentence: isResolved || endedAt !== undefined ? toPast(said) : said, alsoSeries };
}
