import type { DetectorEvent } from '../project/anomaly.ts';
import type { SavedProject } from '../project/project-parts.ts';
import type { RiskSeries } from '../types.ts';
import { fromStoredHeartbeat, type StoredHeartbeat, toStoredHeartbeat } from './stored-heartbeats.ts';
import { fromStoredIncident, type StoredIncident, toStoredIncident } from './stored-incidents.ts';
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
 * states of earlier programs are read, and earlier programs read the states of this one during an update. The files
 * of this folder alone know both.
 */

type Unchanged = 'stepMs' | 'settings' | 'rules' | 'payments' | 'early' | 'unlearned';

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
    /** Missing in what earlier programs saved. */
    earlierDay?: number;
  };
  lateSources?: StoredLateSources;
  outbreak: { lastMs: number; told: number };
  steps: number;
  weights: number;
  members: StoredSeries[];
  lent: StoredTails;
  heartbeats: StoredHeartbeat[];
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
    ...(project.unlearned && { unlearned: project.unlearned }),
    steps: group.steps,
    weights: group.weights,
    members: group.tracked.map(toStoredSeries),
    lent: null,
    heartbeats: heartbeats.map(toStoredHeartbeat),
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
    heartbeats: heartbeats.map(fromStoredHeartbeat),
    ...(sparse && { sparse: fromStoredSparseSeries(sparse) }),
  };
}
