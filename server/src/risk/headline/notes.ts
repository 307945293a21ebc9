import {
  type AttachedSeries,
  type Evidence,
  type ReleaseShare,
  type RiskSeries,
  seriesKey,
} from '../../incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import {
  describeJoined,
  joinedSentence,
  nameOfAttached,
  releaseSentence,
  riseSentence,
} from '../../incidents/wording.ts';
import { MIN_SOURCES, sourcesOf } from './places.ts';

/** Maximum attached series that a timeline entry names. */
const MAX_NAMED = 3;

interface State {
  evidence: StoredEvidence;
  eventCount: number;
}

interface Change {
  before: State;
  after: State;
  /** New lead; null: it is the same. */
  lead: AttachedSeries | null;
  /** Series that worsens the incident in another place; null: none does. */
  escalated: { series: RiskSeries; escalation: NonNullable<Evidence['escalation']> } | null;
  /** Known series that makes the incident worse; null: none does. */
  risen: AttachedSeries | null;
  /** Comparison of releases that says something for the first time; null: none does. */
  release: ReleaseShare | null;
}

/** Returns the one timeline entry about all that a round changes in an incident; null: there is nothing to report. */
export function describeChange({ before, after, lead, escalated, risen, release }: Change): string | null {
  const { series, alsoSeries } = before.evidence;
  const known = new Set([series, ...alsoSeries, ...(escalated ? [escalated.series] : [])].map(seriesKey));
  const added = after.evidence.alsoSeries.filter((each) => !known.has(seriesKey(each))).map(joinedSentence);
  const isLead = escalated && lead && seriesKey(escalated.series) === seriesKey(lead);
  const named = escalated && !isLead ? [escalated.escalation.sentence, ...added] : added;
  const others = named.length - MAX_NAMED;
  const sources = knownSources(after.evidence);
  const isBroader = sources.size > knownSources(before.evidence).size;
  const lines = [
    ...(isLead ? ['Something else has begun.'] : []),
    ...(lead ? [leadSentence(before, after, lead)] : []),
    ...(risen && !(lead && seriesKey(lead) === seriesKey(risen)) ? [riseSentence(risen)] : []),
    ...(release ? [releaseSentence(release)] : []),
    ...named.slice(0, MAX_NAMED),
    ...(others > 0 ? [`And ${others} more joined.`] : []),
    ...(isBroader && sources.size >= MIN_SOURCES ? [`${sources.size} sources by now.`] : []),
  ];
  return lines.length === 0 ? null : lines.join('\n');
}

/** "Now about `mail` errors in `post`: 100 in 1 min, usually about 2; 120 events instead of 20." */
function leadSentence(before: State, after: State, lead: AttachedSeries): string {
  const [now, then] = [after, before].map(({ eventCount }) => eventCount.toLocaleString('en'));
  const count = now === then ? '' : `; ${now} events instead of ${then}`;
  return `Now about ${nameOfAttached(lead)}: ${describeJoined(lead)}${count}.`;
}

function knownSources({ countedSources = [], series, alsoSeries }: StoredEvidence): Set<string> {
  return new Set([...countedSources, ...sourcesOf([series, ...alsoSeries])]);
}
