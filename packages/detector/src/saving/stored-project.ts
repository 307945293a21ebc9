import type { Heartbeat } from '../heartbeat/heartbeat.ts';
import type { HeartbeatCounts } from '../heartbeat/heartbeat-counts.ts';
import { type Alarm, type AlarmSubject, keyOf, subjectOf } from '../project/alarm-subject.ts';
import type { DetectorEvent } from '../project/anomaly.ts';
import { seriesOfRule } from '../project/count-rules.ts';
import type { OpenIncident } from '../project/open-incidents.ts';
import type { SavedProject } from '../project/project-parts.ts';
import { type Excess, type Member, memberOf } from '../project/shared-cause.ts';
import type { CoarseStep } from '../state/resolution.ts';
import type { Side } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';
import { fromStoredLateSources, type StoredLateSources, toStoredLateSources } from './stored-late-sources.ts';
import {
  fromStoredSeries,
  fromStoredSparseSeries,
  fromStoredTails,
  type RestoredGroup,
  type RestoredSparseSeries,
  type StoredSeries,
  type StoredSparseSeries,
  type StoredTails,
  toStoredSeries,
  toStoredSparseSeries,
} from './stored-series.ts';

/*
 * The keys under which a project is saved. They are older than the names in the program and stay as they are, so that
 * states of earlier programs are read, and earlier programs read the states of this one during an update. This file
 * alone knows both.
 */

interface StoredAlarm {
  series: string;
  side: Side;
  /** Minutes of a coarse step; missing: a minute. */
  step?: CoarseStep;
  isSilence?: true;
}

interface StoredIncident {
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

interface StoredHeartbeat {
  firstMs: number;
  seenMs?: number;
  clockMs: number;
  trackers: {
    beatMs: number;
    lastMs: number;
    aliveMs?: number;
    gaps: number;
    mean: number;
    logMean: number;
    /** Missing in what a program before them saved. */
    counts?: HeartbeatCounts;
    expected?: number;
  }[];
  pauses: { halfHours: object; present: number; isAlive: boolean; wasAlive: boolean };
  missing: number;
}

type Unchanged = 'stepMs' | 'settings' | 'rules' | 'payments' | 'early';

/** What is saved as JSON; the bytes of series, pooled tails and quiet hours are saved beside it. */
export interface StoredProject extends Pick<SavedProject, Unchanged> {
  places: { keys: RiskSeries[]; lastMs: number[]; fullUntilMs: number; maxSeries?: number };
  desk: {
    book: { incidents: StoredIncident[]; nextNumber: number };
    /** Empty: a round takes the events before it saves. */
    pending: DetectorEvent[];
    told: [string, number][];
  };
  kinds: {
    firstMs: number;
    known: [number, number][];
    newDays: number[];
    learned: { day: number; kinds: number };
  };
  lateSources?: StoredLateSources;
  outbreak: { lastMs: number; told: number };
  steps: number;
  weights: number;
  members: StoredSeries[];
  lent: StoredTails;
  /** The half hours of each in base64. */
  heartbeats: [number, StoredHeartbeat, string][];
  /** Missing in what earlier programs saved. */
  sparse?: StoredSparseSeries;
}

export function toStored(project: SavedProject): StoredProject {
  const { registry, group, incidents, heartbeats, errorGroups, outbreak, lateSources, sparse } = project;
  const { series, lastEventMs, fullUntilMs, ...limit } = registry;
  const { open, pending, reported } = incidents;
  const { learned, ...known } = errorGroups;
  return {
    stepMs: project.stepMs,
    settings: project.settings,
    places: { keys: series, lastMs: lastEventMs, fullUntilMs, ...limit },
    desk: {
      book: { incidents: open.incidents.map(toStoredIncident), nextNumber: open.nextNumber },
      pending,
      told: reported,
    },
    rules: project.rules,
    kinds: { ...known, learned: { day: learned.day, kinds: learned.groups } },
    payments: project.payments,
    ...(lateSources && { lateSources: toStoredLateSources(lateSources) }),
    outbreak: { lastMs: outbreak.lastMs, told: outbreak.groups },
    early: project.early,
    steps: group.steps,
    weights: group.weights,
    members: group.tracked.map(toStoredSeries),
    lent: null,
    heartbeats: heartbeats.map(([index, heartbeat]) => [
      index,
      toStoredHeartbeat(heartbeat),
      Buffer.from(heartbeat.quietHours.halfHours).toString('base64'),
    ]),
    ...(sparse && { sparse: toStoredSparseSeries(sparse) }),
  };
}

/** All but what is saved beside it. */
export interface RestoredProject extends Omit<SavedProject, 'group' | 'sparse'> {
  group: RestoredGroup;
  sparse?: RestoredSparseSeries;
}

export function fromStored(stored: StoredProject): RestoredProject {
  const {
    places,
    desk,
    kinds,
    outbreak,
    lateSources,
    steps,
    weights,
    members,
    lent,
    heartbeats,
    sparse,
    ...unchanged
  } = stored;
  const { keys, lastMs, fullUntilMs, ...limit } = places;
  const { book, pending, told } = desk;
  const { learned, ...known } = kinds;
  return {
    ...unchanged,
    registry: { series: keys, lastEventMs: lastMs, fullUntilMs, ...limit },
    incidents: {
      open: {
        incidents: book.incidents.map((incident) => fromStoredIncident(incident, keys)),
        nextNumber: book.nextNumber,
      },
      pending,
      reported: told,
    },
    errorGroups: { ...known, learned: { day: learned.day, groups: learned.kinds } },
    outbreak: { lastMs: outbreak.lastMs, groups: outbreak.told },
    ...(lateSources && { lateSources: fromStoredLateSources(lateSources) }),
    group: {
      tracked: members.map(fromStoredSeries),
      formerTails: fromStoredTails(lent),
      steps,
      weights,
    },
    heartbeats: heartbeats.map(([index, heartbeat, halfHours]) => [
      index,
      fromStoredHeartbeat(heartbeat, new Uint8Array(Buffer.from(halfHours, 'base64'))),
    ]),
    ...(sparse && { sparse: fromStoredSparseSeries(sparse) }),
  };
}

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

function toStoredIncident({ lastAttachedAtMs, members, ...incident }: OpenIncident): StoredIncident {
  return {
    ...incident,
    lastJoinedAtMs: lastAttachedAtMs,
    series: incident.open.map(({ subject }) => keyOf(subject)),
    open: incident.open.map(toStoredAlarm),
    members: members.map(({ kind, type, severity, source }) => [kind, type, severity, source]),
  };
}

function fromStoredIncident(
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

function toStoredHeartbeat(heartbeat: Heartbeat): StoredHeartbeat {
  const { firstMs, seenMs, clockMs, trackers, quietHours, overdue } = heartbeat;
  const { currentHalfHour, hasEvents, hadEvents } = quietHours;
  return {
    firstMs,
    ...(seenMs !== undefined && { seenMs }),
    clockMs,
    trackers: trackers.map(({ heartbeatMs, ...gaps }) => ({ beatMs: heartbeatMs, ...gaps })),
    pauses: { present: currentHalfHour, isAlive: hasEvents, wasAlive: hadEvents, halfHours: {} },
    missing: overdue,
  };
}

function fromStoredHeartbeat(stored: StoredHeartbeat, halfHours: Uint8Array): Heartbeat {
  const { firstMs, seenMs, clockMs, trackers, pauses, missing } = stored;
  const { present, isAlive, wasAlive } = pauses;
  return {
    firstMs,
    ...(seenMs !== undefined && { seenMs }),
    clockMs,
    trackers: trackers.map(({ beatMs, ...gaps }) => ({ heartbeatMs: beatMs, ...gaps })),
    quietHours: { halfHours, currentHalfHour: present, hasEvents: isAlive, hadEvents: wasAlive },
    overdue: missing,
  };
}
