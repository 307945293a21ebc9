import { NO_OUTCOMES, type Outcomes } from '../exposure/share-evidence.ts';
import { type SavedGroup, SeriesGroup } from '../group/series-group.ts';
import { type SavedSparseSeries, SparseSeries } from '../group/sparse-series.ts';
import { HeartbeatMonitor } from '../heartbeat/heartbeat-monitor.ts';
import { LateSources, type SavedLateSources } from '../lateness/late-sources.ts';
import { MINUTE_MS } from '../state/durations.ts';
import type { SavedRecords } from '../state/record-table.ts';
import type { RiskSettings } from '../types.ts';
import { AlarmReporter } from './alarm-reporter.ts';
import type { AlarmSubject } from './alarm-subject.ts';
import type { CountDelta } from './count-delta.ts';
import { type CountedRule, CountRules } from './count-rules.ts';
import { EarlyCounts } from './early-counts.ts';
import type { Surroundings } from './incident-relations.ts';
import { IncidentTracker, type SavedIncidentTracker } from './incident-tracker.ts';
import { NewErrorDetector, type SavedErrorGroups } from './new-errors.ts';
import { Outbreak, type SavedOutbreak } from './outbreak.ts';
import { isShareOfPayments } from './payment-counts.ts';
import { TOTAL } from './series-key.ts';
import { type SavedRegistry, SeriesRegistry } from './series-registry.ts';
import { type SavedShare, ShareMonitor } from './share-monitor.ts';
import { isSharedMovement } from './shared-movement.ts';
import { othersAreOver } from './shared-rise.ts';
import { type UnlearnedTime, UnlearnedTimes } from './unlearned-times.ts';

export const STEP_MINUTES = 1;
export const STEP_MS = STEP_MINUTES * MINUTE_MS;

/** Numbers that take as much memory as one series, about 4 kB: error groups, early counts, and sparse series at their coarse steps. */
const ERROR_GROUPS_PER_SERIES = 25;
const EARLY_COUNTS_PER_SERIES = 20;
const SPARSE_PER_SERIES = 1.5;
/** Memory of a source of late events, in series. */
const SERIES_PER_LATE_SOURCE = 4;

/** Parts of the detector of a project. `ProjectDetector` passes counts and time to them. */
export interface ProjectParts {
  readonly registry: SeriesRegistry;
  readonly group: SeriesGroup;
  readonly sparse: SparseSeries;
  readonly shares: ShareMonitor;
  readonly heartbeats: HeartbeatMonitor;
  readonly rules: CountRules;
  readonly newErrors: NewErrorDetector;
  /** Payments of the running step. */
  readonly payments: Outcomes;
  readonly lateSources: LateSources;
  readonly early: EarlyCounts;
  readonly tracker: IncidentTracker;
  readonly reporter: AlarmReporter;
  readonly outbreak: Outbreak;
  readonly unlearned: UnlearnedTimes;
}

/** State of a project, as `snapshot.ts` saves it. */
export interface SavedProject {
  /** Beginning of the running step. */
  stepMs: number;
  settings: RiskSettings;
  registry: SavedRegistry;
  group: SavedGroup;
  incidents: SavedIncidentTracker;
  heartbeats: SavedRecords;
  rules: CountedRule[];
  errorGroups: SavedErrorGroups;
  payments: Outcomes;
  shares: SavedShare[];
  lateSources: SavedLateSources;
  outbreak: SavedOutbreak;
  early: CountDelta[];
  sparse: SavedSparseSeries;
  /** Missing: all series learn from all minutes. */
  unlearned?: UnlearnedTime[];
}

/** Values that the parts of a new project begin with. */
interface Beginning {
  startMs: number;
  settings: RiskSettings;
  /** Number of the first incident that it opens. */
  firstIncident: number;
}

export function createParts(
  { startMs, settings, firstIncident }: Beginning,
  saved?: SavedProject,
): ProjectParts {
  const { budget } = settings;
  const group = new SeriesGroup(STEP_MINUTES, budget, saved?.group);
  const surroundings: Surroundings = {
    isCommonType: (type) => registry.isCommonType(type),
    isSharedMovement: (movement) => isSharedMovement({ registry, group }, movement),
  };
  const tracker = new IncidentTracker({ firstIncident, surroundings }, saved?.incidents);
  const heartbeats = new HeartbeatMonitor(saved?.heartbeats);
  const shares = new ShareMonitor(saved?.shares);
  const sparse = new SparseSeries(
    group,
    budget,
    {
      isCounted: (index) =>
        registry.seriesAt(index).kind !== 'failed_payments' && !isShareOfPayments(registry, shares, index),
      othersAreOver: (index) => othersAreOver({ tracker, registry, group }, index),
      mayRemove: (index) =>
        !tracker.hasOpenAlarm(
          (alarm) =>
            (alarm.coarseStep !== undefined || alarm.isSilence === true) && isAbout(alarm.subject, index),
        ),
    },
    saved?.sparse,
  );
  const registry = new SeriesRegistry(
    group,
    {
      mayReplace: (index) => !tracker.hasOpenAlarm(({ subject }) => isAbout(subject, index)),
      onReplaced: (index) => {
        shares.forget(index);
        heartbeats.forget(index);
        sparse.remove(index);
      },
    },
    saved?.registry,
  );
  const reporter = new AlarmReporter({ tracker, registry, group, sparse, shares });
  const rules = new CountRules(saved?.rules ?? []);
  registry.ensure(TOTAL);
  rules.setRules(settings.rules);
  return {
    registry,
    group,
    sparse,
    shares,
    heartbeats,
    rules,
    newErrors: new NewErrorDetector(startMs, saved?.errorGroups ?? null),
    payments: saved?.payments ?? { ...NO_OUTCOMES },
    lateSources: new LateSources(saved?.lateSources),
    early: new EarlyCounts(registry, saved?.early),
    tracker,
    reporter,
    outbreak: new Outbreak(tracker, saved?.outbreak),
    unlearned: new UnlearnedTimes(saved?.unlearned),
  };
}

export function saveParts(parts: ProjectParts): Omit<SavedProject, 'stepMs' | 'settings'> {
  return {
    registry: parts.registry.save(),
    group: parts.group.save(),
    incidents: parts.tracker.save(),
    heartbeats: parts.heartbeats.save(),
    rules: parts.rules.save(),
    errorGroups: parts.newErrors.save(),
    payments: parts.payments,
    shares: parts.shares.save(),
    lateSources: parts.lateSources.save(),
    outbreak: parts.outbreak.save(),
    early: parts.early.save(),
    sparse: parts.sparse.save(),
    ...(parts.unlearned.times.length > 0 && { unlearned: [...parts.unlearned.times] }),
  };
}

/** Returns the number of series, with those of steps that have not begun yet. */
export function seriesCountOf({ registry, early }: ProjectParts): number {
  return registry.size + early.newSeries;
}

/** Returns the memory that a project takes, in series; its rules are in its settings. */
export function memorySizeOf(parts: ProjectParts, settings: RiskSettings): number {
  return (
    seriesCountOf(parts) +
    Math.ceil(parts.sparse.size / SPARSE_PER_SERIES) +
    settings.rules.length +
    Math.ceil(parts.newErrors.size / ERROR_GROUPS_PER_SERIES) +
    Math.ceil(parts.early.size / EARLY_COUNTS_PER_SERIES) +
    parts.lateSources.size * SERIES_PER_LATE_SOURCE
  );
}

/** True if an alarm is about the counts, the share or the heartbeat of a series. */
function isAbout(subject: AlarmSubject, index: number): boolean {
  return 'index' in subject && subject.index === index;
}
