import type { Severity } from '../events/severity.ts';
import {
  type AttachedAlarm,
  type AttachedSeries,
  type Evidence,
  type RiskSeries,
  seriesKey,
} from './evidence-schema.ts';
import { releaseSentence, toPast } from './wording.ts';

/** A row of the numbers of an attached series, as versions stored them beside `alsoSeries`. */
interface StoredJoined
  extends Omit<AttachedAlarm, keyof RiskSeries | 'alarmSeverity' | 'exposure' | 'message'> {
  series: RiskSeries;
  severity: Severity;
}

/** Evidence as a row of any version holds it: older ones kept no exposure and no group, and no numbers of what joined, or kept them apart. */
export type StoredEvidence = Omit<
  Evidence,
  'alsoSeries' | 'falseAlarmsPerWeek' | 'escalation' | 'exposure' | 'group' | 'release'
> &
  Partial<Pick<Evidence, 'falseAlarmsPerWeek' | 'escalation' | 'exposure' | 'group' | 'release'>> & {
    alsoSeries: (AttachedSeries | RiskSeries)[];
    joined?: StoredJoined[];
    /** The name of `falseAlarmsPerWeek` in the version before. */
    chanceAWeek?: number | null;
    /** When another series became the headline last; missing: it is the first. */
    headlineAt?: string;
    /** The part of a sum of which nearly all of it is, and that the sentence names in its place. */
    namedSeries?: RiskSeries;
    /** The sources that the sentence counts; missing where it counts none. */
    countedSources?: string[];
    /** The count of events at which releases were compared last. */
    releaseLookedAt?: number;
    /** What the headline counts; missing in rows of older versions. */
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

const NO_NUMBERS = {
  rule: null,
  alarmSeverity: null,
  observed: null,
  expected: null,
  peak: null,
  windowSeconds: null,
  from: null,
  at: null,
  exposure: null,
  message: null,
};

/** What is attached according to a row of any version, each series once. */
export function readAttached({ alsoSeries, joined = [] }: StoredEvidence): AttachedSeries[] {
  const numbers = new Map(
    joined.map(({ series, severity, ...row }) => [seriesKey(series), { ...row, alarmSeverity: severity }]),
  );
  const all = new Map(joined.map(({ series }) => [seriesKey(series), series]));
  for (const series of alsoSeries) all.set(seriesKey(series), series);
  return [...all].map(([key, series]) => ({ ...NO_NUMBERS, ...numbers.get(key), ...series }));
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

/** Whether a version attached it that kept numbers; frames of others lack the fields. */
export function hasNumbers<Series extends AttachedSeries>(series: Series): series is Series & AttachedAlarm {
  return typeof series.observed === 'number';
}

/** The sentence of a row, with what it says of releases: stored apart, since it may be known later. */
export function sentenceOf({ sentence, release }: Pick<StoredEvidence, 'sentence' | 'release'>): string {
  return release ? `${sentence} ${releaseSentence(release)}` : sentence;
}

/**
 * Evidence out of a row of any version, with the whole sentence.
 * @param tense of what is over, the past
 */
export function readEvidence(stored: StoredEvidence, tense: 'present' | 'past' = 'present'): Evidence {
  const { chanceAWeek = null, falseAlarmsPerWeek = chanceAWeek, escalation = null } = stored;
  const { joined: _joined, headlineAt: _at, releaseLookedAt: _count, chanceAWeek: _name, ...kept } = stored;
  const { namedSeries: _named, countedSources: _sources, lead: _lead, ...rest } = kept;
  const { exposure = null, group = null, release = null } = stored;
  const said = sentenceOf(stored);
  const sentence = tense === 'past' ? toPast(said) : said;
  const attached = readAttached(stored);
  const alsoSeries = attached.map((each) => ({ ...each, isSuperset: isSuperset(each, stored.series) }));
  return {
    ...rest,
    sentence,
    falseAlarmsPerWeek,
    escalation,
    exposure,
    group,
    release,
    alsoSeries,
  };
}

/**
 * The JSON of a row. During a rolling update processes of the versions before read it, which know `falseAlarmsPerWeek` as
 * `chanceAWeek`, and the numbers of attached series as `joined`: so rows have both (expand). Contract: a version that runs
 * beside no older one than this writes the new names alone; `readEvidence` knows the old ones for as long as such rows
 * may exist.
 */
export function evidenceToJson(evidence: StoredEvidence): string {
  const { falseAlarmsPerWeek } = readEvidence(evidence);
  const alsoSeries = readAttached(evidence);
  const joined = alsoSeries.filter(hasNumbers).map(toStoredJoined);
  return JSON.stringify({
    ...evidence,
    falseAlarmsPerWeek,
    chanceAWeek: falseAlarmsPerWeek,
    alsoSeries,
    joined,
  });
}

function toStoredJoined(attached: AttachedAlarm): StoredJoined {
  const { kind, type, severity, source, fingerprint, alarmSeverity, ...numbers } = attached;
  return {
    series: { kind, type, severity, source, fingerprint },
    severity: alarmSeverity,
    ...numbers,
  };
}
