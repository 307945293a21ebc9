import type { PooledTail } from '../calibration/thresholds.ts';
import type { Heartbeat } from '../heartbeat/heartbeat.ts';
import type { Side } from '../state/side.ts';
import type { RiskSeries } from '../types.ts';
import type { OpenIncident } from './alarm-grouping.ts';
import { type Alarm, keyOf, subjectOf } from './alarm-subject.ts';
import type { DetectorEvent } from './anomaly.ts';
import type { SavedProject } from './project-detector.ts';
import type { TrackedSeries } from './series-group.ts';
import { fromStoredLateSources, type StoredLateSources, toStoredLateSources } from './stored-late-sources.ts';

/*
 * The keys under which a project is saved. They are older than the names in the program and stay as they are, so that
 * states of earlier programs are read, and earlier programs read the states of this one during an update. This file
 * alone knows both.
 */

interface StoredAlarm {
  series: string;
  side: Side;
}

interface StoredIncident {
  number: number;
  side: Side;
  openedAtMs: number;
  lastJoinedAtMs: number;
  series: string[];
  open: StoredAlarm[];
}

interface StoredHeartbeat {
  firstMs: number;
  clockMs: number;
  trackers: { beatMs: number; lastMs: number; gaps: number; mean: number; logMean: number }[];
  pauses: { halfHours: object; present: number; isAlive: boolean; wasAlive: boolean };
  missing: number;
}

interface StoredSeries {
  weight: number;
  count: number;
  late?: number;
  isTouched: boolean;
  isTrouble: boolean;
  isPartial: boolean;
}

type Unchanged = 'stepMs' | 'settings' | 'rules' | 'payments' | 'early';

/** What is saved as JSON; the bytes of series, pooled maxima and quiet hours are saved beside it. */
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
  lent: { scale: number; place: number; maxima: number }[] | null;
  /** The half hours of each in base64. */
  heartbeats: [number, StoredHeartbeat, string][];
}

export function toStored(project: SavedProject): StoredProject {
  const { registry, group, incidents, heartbeats, errorGroups, outbreak, lateSources } = project;
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
    lent:
      group.tails?.map(({ scale, location, count }) => ({ scale, place: location, maxima: count })) ?? null,
    heartbeats: heartbeats.map(([index, heartbeat]) => [
      index,
      toStoredHeartbeat(heartbeat),
      Buffer.from(heartbeat.quietHours.halfHours).toString('base64'),
    ]),
  };
}

/** All but what is saved beside it. */
export interface RestoredProject extends Omit<SavedProject, 'group'> {
  group: {
    tracked: Omit<TrackedSeries, 'state'>[];
    tails: PooledTail[] | null;
    steps: number;
    weights: number;
  };
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
    ...unchanged
  } = stored;
  const { keys, lastMs, fullUntilMs, ...limit } = places;
  const { book, pending, told } = desk;
  const { learned, ...known } = kinds;
  return {
    ...unchanged,
    registry: { series: keys, lastEventMs: lastMs, fullUntilMs, ...limit },
    incidents: {
      open: { incidents: book.incidents.map(fromStoredIncident), nextNumber: book.nextNumber },
      pending,
      reported: told,
    },
    errorGroups: { ...known, learned: { day: learned.day, groups: learned.kinds } },
    outbreak: { lastMs: outbreak.lastMs, groups: outbreak.told },
    ...(lateSources && { lateSources: fromStoredLateSources(lateSources) }),
    group: {
      tracked: members.map(fromStoredSeries),
      tails: lent?.map(({ scale, place, maxima }) => ({ scale, location: place, count: maxima })) ?? null,
      steps,
      weights,
    },
    heartbeats: heartbeats.map(([index, heartbeat, halfHours]) => [
      index,
      fromStoredHeartbeat(heartbeat, new Uint8Array(Buffer.from(halfHours, 'base64'))),
    ]),
  };
}

const toStoredAlarm = ({ subject, side }: Alarm): StoredAlarm => ({ series: keyOf(subject), side });
const fromStoredAlarm = ({ series, side }: StoredAlarm): Alarm => ({ subject: subjectOf(series), side });

function toStoredIncident({ number, side, openedAtMs, ...incident }: OpenIncident): StoredIncident {
  const [series, open] = [incident.subjects.map(keyOf), incident.open.map(toStoredAlarm)];
  return { number, side, openedAtMs, lastJoinedAtMs: incident.lastAttachedAtMs, series, open };
}

function fromStoredIncident({ number, side, openedAtMs, ...stored }: StoredIncident): OpenIncident {
  const [subjects, open] = [stored.series.map(subjectOf), stored.open.map(fromStoredAlarm)];
  return { number, side, openedAtMs, lastAttachedAtMs: stored.lastJoinedAtMs, subjects, open };
}

function toStoredSeries(tracked: TrackedSeries): StoredSeries {
  const { weight, count, lateCount = 0, hasNewCounts, isErrorSeries, isPartial } = tracked;
  const late = lateCount > 0 && { late: lateCount };
  return { weight, count, ...late, isTouched: hasNewCounts, isTrouble: isErrorSeries, isPartial };
}

function fromStoredSeries(stored: StoredSeries): Omit<TrackedSeries, 'state'> {
  const { weight, count, late, isTouched, isTrouble, isPartial } = stored;
  const lateCount = late !== undefined && { lateCount: late };
  return { weight, count, ...lateCount, hasNewCounts: isTouched, isErrorSeries: isTrouble, isPartial };
}

function toStoredHeartbeat({ firstMs, clockMs, trackers, quietHours, overdue }: Heartbeat): StoredHeartbeat {
  const { currentHalfHour, hasEvents, hadEvents } = quietHours;
  return {
    firstMs,
    clockMs,
    trackers: trackers.map(({ heartbeatMs, ...gaps }) => ({ beatMs: heartbeatMs, ...gaps })),
    pauses: { present: currentHalfHour, isAlive: hasEvents, wasAlive: hadEvents, halfHours: {} },
    missing: overdue,
  };
}

function fromStoredHeartbeat(stored: StoredHeartbeat, halfHours: Uint8Array): Heartbeat {
  const { firstMs, clockMs, trackers, pauses, missing } = stored;
  const { present, isAlive, wasAlive } = pauses;
  return {
    firstMs,
    clockMs,
    trackers: trackers.map(({ beatMs, ...gaps }) => ({ heartbeatMs: beatMs, ...gaps })),
    quietHours: { halfHours, currentHalfHour: present, hasEvents: isAlive, hadEvents: wasAlive },
    overdue: missing,
  };
}
