import { worst } from '../../events/severity.ts';
import { seriesKey } from '../../incidents/evidence-schema.ts';
import { type IncidentMutation, updateIncident } from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { isoTime } from '../../platform/time.ts';
import { sayBreadth } from '../headline/breadth.ts';
import { attachSeries, keepGroup, toEvidence } from '../headline/evidence.ts';
import { sayFirstError } from '../headline/first-error.ts';
import { type Headline, toFormerHeadline } from '../headline/headline.ts';
import { type OpenedAlarm, worstSeverityOf } from '../headline/opened-alarm.ts';
import { noteAttached } from './attach-alarms.ts';
import { type ChangeContext, titleOf, toRows, withCount } from './change-context.ts';

/**
 * Replaces a new error as the headline: the first events of a burst often are one, and the burst is the headline
 * then.
 */
export function outgrow(
  row: IncidentRow,
  { alarm, alarms }: Extract<Headline, { kind: 'outgrown' }>,
  context: ChangeContext,
): IncidentMutation {
  const others = toRows(
    alarms.filter((other) => other !== alarm),
    context,
  );
  const attached = attachSeries(newHeadline(alarm, context), [...others, ...earlierSeries(row)]);
  const broad = sayBreadth(attached.evidence, alarm, context.newestEvents);
  const evidence = keepGroup(sayFirstError(broad, row.evidence, []), row.evidence, context.group);
  const { type, source } = evidence.series;
  return updateIncident(
    { ...withCount({ ...row, evidence }, context.count), type, source },
    { title: titleOf(row, alarm, context), severity: worst(row.severity, worstSeverityOf(alarms)) },
    { userId: null, note: evidence.sentence },
    context.nowMs,
  );
}

/** Makes a clearly worse alarm the headline; the former one becomes one of the attached series. */
export function replaceHeadline(
  row: IncidentRow,
  opened: OpenedAlarm[],
  worse: OpenedAlarm,
  context: ChangeContext,
): IncidentMutation {
  const earlier = earlierSeries(row);
  const known = new Set(earlier.map(seriesKey));
  const base = attachSeries(newHeadline(worse, context), earlier).evidence;
  const { evidence: attached } = attachSeries(base, toRows(opened, context));
  const broad = sayBreadth(attached, worse, context.newestEvents);
  const evidence = keepGroup(sayFirstError(broad, row.evidence, []), row.evidence, context.group);
  const { type, source } = evidence.series;
  const others = opened.filter((alarm) => alarm !== worse);
  const added = toRows(opened.includes(worse) ? [worse, ...others] : others, context).filter(
    (attached) => !known.has(seriesKey(attached)),
  );
  const after = { ...withCount({ ...row, evidence }, context.count), type, source };
  const severity = worst(row.severity, worstSeverityOf(opened));
  return noteAttached(row, after, { opened, added, severity, title: titleOf(row, worse, context), context });
}

/** Evidence of an incident from the change of its headline on. */
function newHeadline(alarm: OpenedAlarm, context: ChangeContext): StoredEvidence {
  return { ...toEvidence(alarm, context), headlineAt: isoTime(context.nowMs) };
}

/** All series of an incident so far, its headline first. */
function earlierSeries(row: IncidentRow) {
  return row.evidence ? [toFormerHeadline(row.evidence, row), ...row.evidence.alsoSeries] : [];
}
