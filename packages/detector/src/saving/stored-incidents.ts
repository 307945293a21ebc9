import { type Alarm, type AlarmSubject, keyOf, subjectOf } from '../project/alarm-subject.ts';
import { seriesOfRule } from '../project/count-rules.ts';
import type { OpenIncident } from '../project/open-incidents.ts';
import { type Excess, type Member, memberOf } from '../project/shared-cause.ts';
import type { CoarseStep } from '../state/resolution.ts';
import type { Side } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';

interface StoredAlarm {
  series: string;
  side: Side;
  /** Minutes of a coarse step; missing: a minute. */
  step?: CoarseStep;
  isSilence?: true;
}

export interface StoredIncident {
  number: number;
  side: Side;
  openedAtMs: number;
  lastJoinedAtMs: number;
  /** Subjects of alarms: those that took part in an earlier program, those of the open alarms in this one. */
  series: string[];
  open: StoredAlarm[];
  /** Missing in what a program before them saved. */
  members?: StoredMember[];
  excess?: Excess;
}

type StoredMember = [Member['kind'], Member['type'], Member['severity'], Member['source']];

const toStoredAlarm = ({ subject, side, coarseStep, isSilence }: Alarm): StoredAlarm => ({
  series: keyOf(subject),
  side,
  ...(coarseStep && { step: coarseStep }),
  ...(isSilence && { isSilence }),
});
const fromStoredAlarm = ({ series, side, step, isSilence }: StoredAlarm): Alarm => ({
  subject: subjectOf(series),
  side,
  ...(step && { coarseStep: step }),
  ...(isSilence && { isSilence }),
});

export function toStoredIncident({ lastAttachedAtMs, members, ...incident }: OpenIncident): StoredIncident {
  return {
    ...incident,
    lastJoinedAtMs: lastAttachedAtMs,
    series: incident.open.map(({ subject }) => keyOf(subject)),
    open: incident.open.map(toStoredAlarm),
    members: members.map(({ kind, type, severity, source }) => [kind, type, severity, source]),
  };
}

export function fromStoredIncident(
  { lastJoinedAtMs, series, members, excess, ...stored }: StoredIncident,
  known: RiskSeries[],
): OpenIncident {
  return {
    ...stored,
    lastAttachedAtMs: lastJoinedAtMs,
    members: members
      ? members.map(([kind, type, severity, source]) => ({ kind, type, severity, source }))
      : series.flatMap((key) => membersOf(subjectOf(key), known)),
    excess: excess ?? { sum: 0, single: 0 },
    open: stored.open.map(fromStoredAlarm),
  };
}

/** The series that an earlier program remembered by the subject of their alarms. */
function membersOf(subject: AlarmSubject, known: RiskSeries[]): Member[] {
  if (subject.kind === 'rule') return [memberOf(seriesOfRule(subject.rule))];
  const series = subject.kind === 'new-errors' ? undefined : known[subject.index];
  return series ? [memberOf(series)] : [];
}
