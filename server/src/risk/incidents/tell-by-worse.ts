import { DOWN, isTrouble, type Side, severityOfAlarm, UP } from '@tocsin/detector';
import type { Transaction } from '../../database/database.ts';
import { worst } from '../../events/severity.ts';
import { retellIncident, withJoined } from '../../incidents/change-risk-incident.ts';
import {
  type IncidentRow,
  type JoinedSeries,
  type RiskRule,
  type RiskSeries,
  type StoredEvidence,
  seriesKey,
} from '../../incidents/schema.ts';
import { joinedSentence } from '../../incidents/wording.ts';
import { isoTime } from '../../platform/time.ts';
import { gatherEvidence, type ProjectContext } from './gather-evidence.ts';
import { leadOf, type Told, worstOf } from './plan-incidents.ts';
import { isClearlyWorse, urgencyOf } from './urgency.ts';
import { toTitle } from './words.ts';

/** They say less than anything that an incident may be told by. */
const SAYING_LESS: ReadonlySet<RiskSeries['kind']> = new Set(['total', 'other', 'new_kind']);

/** What is clearly worse than what the incident is told by, and says most; null: nothing is. */
export function findWorse({ evidence, eventCount }: IncidentRow, told: Told[]): Told | null {
  if (!evidence) return null;
  const { series, rule, observed, expected } = evidence;
  const side = sideOf(rule);
  const current = urgencyOf({
    severity: severityOfAlarm(series, { rule, side, observed, expected }),
    // Until something joins, all that has come since belongs to the rise that it was told by.
    observed: rule === 'rise' && evidence.alsoSeries.length === 0 ? Math.max(observed, eventCount) : observed,
    expected,
  });
  const urgencyOfTold = ({ series: other, finding }: Told) =>
    urgencyOf({
      severity: severityOfAlarm(other, finding),
      observed: finding.observed,
      expected: finding.expected,
    });
  const others = told.filter(
    (one) =>
      !SAYING_LESS.has(one.series.kind) &&
      // The sum of all errors holds those of a series, and names none.
      !(one.series.kind === 'errors' && isTrouble(series)) &&
      seriesKey(one.series) !== seriesKey(series),
  );
  const [first, ...further] = others.filter((one) => isClearlyWorse(urgencyOfTold(one), current));
  return first ? leadOf([first, ...further]) : null;
}

/** The headline is the worst of what has joined: what it was told by before is one of the others from now on. */
export async function tellByWorse(
  transaction: Transaction,
  ids: ProjectContext,
  row: IncidentRow,
  { worse, told, rows, events }: { worse: Told; told: Told[]; rows: JoinedSeries[]; events: number },
): Promise<IncidentRow> {
  const { evidence: former } = row;
  const evidence = await gatherEvidence(transaction, ids, worse, [worse], transaction.now());
  const key = seriesKey(worse.series);
  const others = rows.filter(({ series }) => seriesKey(series) !== key);
  const before = former ? [toRow(former, row), ...(former.joined ?? [])] : [];
  const earlier = before.filter(({ series }) => seriesKey(series) !== key);
  const known = former?.alsoSeries.filter((series) => seriesKey(series) !== key) ?? [];
  const base = { ...evidence, alsoSeries: known, joined: [] };
  const joined = withJoined(base, [...earlier, ...others]).evidence ?? evidence;
  const own = rows.find(({ series }) => seriesKey(series) === key);
  return retellIncident(transaction, row, {
    title: row.titleOrigin === 'generated' ? toTitle(worse.series, worse.finding) : row.title,
    severity: worst(row.severity, worstOf(told)),
    eventCount: row.eventCount + events,
    evidence: joined,
    note: own ? joinedSentence(own) : evidence.sentence,
  });
}

/** What an incident was told by, as one of those that take part. */
export function toRow(evidence: StoredEvidence, { createdAt }: IncidentRow): JoinedSeries {
  const { series, rule, observed, expected, windowSeconds, from } = evidence;
  const side = sideOf(rule);
  const severity = severityOfAlarm(series, { rule, side, observed, expected });
  return {
    series,
    rule,
    severity,
    observed,
    expected,
    peak: observed,
    windowSeconds,
    from,
    at: isoTime(createdAt),
  };
}

function sideOf(rule: RiskRule): Side {
  return rule === 'drop' || rule === 'silence' ? DOWN : UP;
}
