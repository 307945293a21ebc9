import type { ShareExceedance } from '../exposure/share-exceedance.ts';
import type { SeriesGroup } from '../group/series-group.ts';
import type { SparseSeries } from '../group/sparse-series.ts';
import type { HeartbeatChange } from '../heartbeat/heartbeat.ts';
import type { AlarmChange, Exceedance } from '../series/alarm-state.ts';
import { isRise } from '../series/evidence.ts';
import type { SilenceChange } from '../series/expected-silence.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { type CoarseStep, MINUTES_PER_DAY } from '../state/resolution.ts';
import { DOWN, UP } from '../state/side.ts';
import type { CountRule, RiskSeries } from '../types.ts';
import type { Alarm, AlarmSubject } from './alarm-subject.ts';
import {
  type Anomaly,
  anomalyOfErrorShare,
  anomalyOfFailures,
  anomalyOfHeartbeat,
  anomalyOfNewError,
  anomalyOfSeries,
  anomalyOfSilence,
} from './anomaly.ts';
import type { ErrorDelta } from './count-delta.ts';
import { type FulfilledRule, seriesOfRule } from './count-rules.ts';
import type { IncidentTracker } from './incident-tracker.ts';
import { compareWithTraffic, findNewName } from './new-source.ts';
import type { OpeningAlarm } from './opening-alarm.ts';
import { isShareOfPayments } from './payment-counts.ts';
import { ERRORS, FAILED_PAYMENTS, isErrorSeries, isSum, isTraffic } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import { severityOfAlarm } from './severity.ts';
import type { ShareChange, ShareMonitor } from './share-monitor.ts';
import { hadTrafficAlarm, isSharedMovement } from './shared-movement.ts';

/** The longest window of a share of errors. What the counts reported within it is no news. */
const MAX_SHARE_MINUTES = 120;
/** New error groups of one outbreak that are reported one by one. */
const MAX_REPORTED_GROUPS = 20;
/** As long as a rise in the counts is held. */
const NEW_ERRORS_QUIET_MS = 60 * 60_000;

const NEW_ERRORS: AlarmSubject = { kind: 'new-errors' };
const ANY_NEW_ERROR = {
  kind: 'new_kind',
  type: null,
  severity: null,
  source: null,
  fingerprint: null,
} as const;
const REASONS = { 'small-effect': 'small_effect', 'hour-of-week': 'hour_of_week' } as const;

/** New error groups in a row, none more than an hour after the one before. */
export interface Outbreak {
  lastMs: number;
  groups: number;
}

/** More events than usual. */
interface Rise {
  observed: number;
  expected: number;
  minutes: number;
}

interface ReportingParts {
  tracker: IncidentTracker;
  registry: SeriesRegistry;
  group: SeriesGroup;
  sparse: SparseSeries;
  shares: ShareMonitor;
}

/** Decides which changes of a project's series, heartbeats, rules and error groups are alarms, and reports them. */
export class AlarmReporter {
  readonly #tracker: IncidentTracker;
  readonly #registry: SeriesRegistry;
  readonly #group: SeriesGroup;
  readonly #sparse: SparseSeries;
  readonly #shares: ShareMonitor;
  /** Rises and drops of sums in the step that is evaluated. */
  #sums: OpeningAlarm[] = [];
  outbreak: Outbreak;

  constructor(
    { tracker, registry, group, sparse, shares }: ReportingParts,
    outbreak: Outbreak = { lastMs: 0, groups: 0 },
  ) {
    this.#tracker = tracker;
    this.#registry = registry;
    this.#group = group;
    this.#sparse = sparse;
    this.#shares = shares;
    this.outbreak = outbreak;
  }

  /** @param coarseStep of an alarm of a sparse series that is not one of the minute */
  onSeriesChange(index: number, change: AlarmChange, atMs: number, coarseStep?: CoarseStep): void {
    const series = this.#registry.seriesAt(index);
    const subject: AlarmSubject = { kind: 'series', index };
    const alarm: Alarm = { subject, side: change.side, ...(coarseStep && { coarseStep }) };
    if (change.kind === 'closes') {
      this.#tracker.close(alarm, series, atMs);
      // Coarse steps end late: what a finer one knows to be over does not wait for them.
      for (const coarser of this.#sparse.quietSteps(index, change.side, coarseStep ?? 1))
        this.#tracker.close({ subject, side: change.side, coarseStep: coarser }, series, atMs);
      return;
    }
    const group = coarseStep ? this.#sparse.groupOf(coarseStep) : this.#group;
    if (coarseStep && this.#isReported(index, change, coarseStep)) return;
    const isOfShare = change.side === UP && isShareOfPayments(this.#registry, this.#shares, index);
    if (isOfShare || (coarseStep && this.#movesWithReported(index, change, atMs))) {
      if (change.kind === 'opens') this.#withdraw(alarm);
      return;
    }
    const chance = group.falseAlarmsPerWeek(index, change);
    const found = anomalyOfSeries(group.resolution, change, chance);
    const anomaly = coarseStep ? this.#countMinutes(index, found, { coarseStep, atMs }) : found;
    if (change.kind !== 'opens') {
      const reason = change.kind === 'recovers' ? 'recovery' : REASONS[change.reason];
      this.#tracker.suppress(subject, { reason, series, anomaly }, atMs);
    } else if (change.side === DOWN && isErrorSeries(series)) {
      group.acceptDrop(index);
      this.#tracker.suppress(subject, { reason: 'fewer_errors', series, anomaly }, atMs);
    } else {
      const silence = change.side === DOWN ? this.#silenceOf(index, anomaly, atMs) : {};
      const isRiseOfErrors = change.side === UP && isErrorSeries(series);
      const exposed = isRiseOfErrors ? this.#exposureOf(index, anomaly) : {};
      // The ordinary errors of a service that has begun are nothing unusual.
      if (exposed.sourceMinutes !== undefined && exposed.exposure?.isInProportion) this.#withdraw(alarm);
      else this.#open({ alarm, series, anomaly: { ...anomaly, ...silence, ...exposed }, atMs });
    }
  }

  /**
   * Counts by minutes what is found at a coarse step: the step that runs is not over, and what came in the last half hour is
   * known by the minute.
   */
  #countMinutes(
    index: number,
    anomaly: Anomaly,
    { coarseStep, atMs }: { coarseStep: CoarseStep; atMs: number },
  ): Anomaly {
    const perMinute = anomaly.expected / anomaly.windowMinutes;
    if (anomaly.side === UP && this.#group.latestCountOf(index) >= anomaly.observed) {
      const { steps, observed, expected } = this.#group.latestExcessOf(index, UP, perMinute);
      return { ...anomaly, observed, expected, windowMinutes: steps };
    }
    const ofStep = (atMs / MINUTE_MS) % coarseStep || coarseStep;
    const windowMinutes = anomaly.windowMinutes - coarseStep + ofStep;
    return { ...anomaly, expected: perMinute * windowMinutes, windowMinutes };
  }

  /** Reports the sums after the series of the same step: then their incidents are there to attach them to. */
  reportSums(): void {
    for (const opening of this.#sums) {
      const { alarm, series, anomaly } = opening;
      const isOfPayments = anomaly.rule === 'rise' && this.#areOfPayments(series, riseOf(anomaly));
      if (isOfPayments && !this.#tracker.hasOpenAlarm((other) => this.#isOfPayments(other)))
        this.#withdraw(alarm);
      else this.#tracker.open(opening);
    }
    this.#sums = [];
  }

  /** True if more errors in a project than usual are failed payments alone, whose share is evaluated by itself. */
  #areOfPayments({ kind }: RiskSeries, { observed, expected, minutes }: Rise): boolean {
    const payments = kind === ERRORS.kind ? this.#registry.indexOf(FAILED_PAYMENTS) : null;
    if (payments === null || !this.#shares.mayRiseOfPayments(payments)) return false;
    return !isRise(observed - this.#shares.failuresWithin(payments, minutes), expected);
  }

  #isOfPayments({ subject }: Alarm): boolean {
    return subject.kind === 'series' && subject.index === this.#registry.indexOf(FAILED_PAYMENTS);
  }

  #withdraw({ subject, side, coarseStep }: Alarm): void {
    const group = coarseStep ? this.#sparse.groupOf(coarseStep) : this.#group;
    if (subject.kind === 'series') group.withdrawAlarm(subject.index, side);
  }

  /** Whether a finer step, or its heartbeat, has reported what a coarse one finds. */
  #isReported(index: number, { side, window }: Exceedance, coarseStep: CoarseStep): boolean {
    const steps = this.#sparse.groupOf(coarseStep).resolution.windows[window] as number; // of the same resolution
    if (this.#sparse.isReportedByFiner(coarseStep, { index, side, withinMinutes: steps * coarseStep }))
      return true;
    const isHeartbeat = ({ subject }: Alarm) => subject.kind === 'heartbeat' && subject.index === index;
    return side === DOWN && this.#tracker.hasOpenAlarm(isHeartbeat);
  }

  /**
   * Whether the traffic that a series moves with had an alarm in the last day, and none is open any more: its levels have
   * followed since, while the coarse steps of a sparse series still compare with the days before.
   */
  #movesWithReported(index: number, { side, observed, expected }: Exceedance, atMs: number): boolean {
    const member = this.#registry.seriesAt(index);
    const project = { registry: this.#registry, group: this.#group, sparse: this.#sparse };
    const movement = { member, anomaly: { observed, expected }, side, minutes: MINUTES_PER_DAY, atMs };
    const isOpen = (alarm: Alarm) => alarm.side === side && alarm.subject.kind === 'series';
    if (!isTraffic(member) || this.#tracker.hasOpenAlarm(isOpen)) return false;
    return hadTrafficAlarm(project, movement) && isSharedMovement(project, movement);
  }

  onShareChange(index: number, change: ShareChange, atMs: number): void {
    const series = this.#registry.seriesAt(index);
    const isPayments = change.trialsAre === 'payments';
    const alarm: Alarm = { subject: { kind: isPayments ? 'series' : 'share', index }, side: UP };
    if (change.kind === 'closes') {
      this.#tracker.close(alarm, series, atMs);
      return;
    }
    const anomalyOf = isPayments ? anomalyOfFailures : anomalyOfErrorShare;
    this.#open({ alarm, series, anomaly: anomalyOf(change, change.falseAlarmsPerWeek), atMs });
  }

  /**
   * True if an alarm of a share of errors would be no news: payments have their own, and a rise of the counts that was not in
   * proportion to the traffic has said as much.
   */
  isReportedShare(index: number, { failures, trials, usualShare, minutes }: ShareExceedance): boolean {
    const series = this.#registry.seriesAt(index);
    if (series.type === FAILED_PAYMENTS.type) return true;
    if (this.#areOfPayments(series, { observed: failures, expected: trials * usualShare, minutes }))
      return true;
    if (this.#shares.isInProportion(index)) return false;
    const isRise = ({ subject, side }: Alarm) =>
      subject.kind === 'series' && subject.index === index && side === UP;
    return this.#tracker.hasOpenAlarm(isRise) || this.#group.hadAlarm(index, UP, MAX_SHARE_MINUTES);
  }

  #open(found: OpeningAlarm): void {
    const { series, anomaly } = found;
    const rating = {
      severity: severityOfAlarm(series, anomaly),
      usualPerMinute: anomaly.expected / anomaly.windowMinutes,
    };
    const opening = { ...found, alarm: { ...found.alarm, rating } };
    if (isSum(opening.series)) this.#sums.push(opening);
    else this.#tracker.open(opening);
  }

  #silenceOf(
    index: number,
    { rule, heartbeat }: Anomaly,
    atMs: number,
  ): Pick<Anomaly, 'lastEventMinutesAgo' | 'renamedTo'> {
    const lastMs = heartbeat ? null : this.#registry.lastEventMsOf(index);
    const project = { registry: this.#registry, group: this.#group };
    const renamedTo = rule === 'silence' ? findNewName(project, index, atMs) : null;
    return {
      ...(lastMs !== null && { lastEventMinutesAgo: (atMs - lastMs) / MINUTE_MS }),
      ...(renamedTo !== null && { renamedTo }),
    };
  }

  /** What a rise of errors is compared with, where their traffic is known. */
  #exposureOf(index: number, { observed, windowMinutes }: Anomaly): Partial<Anomaly> {
    const sources = { registry: this.#registry, group: this.#group, shares: this.#shares };
    const { sourceMinutes, exposure } = compareWithTraffic(sources, index, windowMinutes);
    const isNew = sourceMinutes !== null && { sourceMinutes };
    this.#shares.keepProportion(index, exposure?.isInProportion ?? false);
    if (!exposure) return { ...isNew };
    const { events, failures, usualShare } = exposure;
    // Its own level says that none are expected.
    const expected = (observed * usualShare * events) / Math.max(1, failures);
    return { exposure, ...(isNew && { ...isNew, expected }) };
  }

  /** A sender that is missed already, by its counts or its heartbeat, is reported once. */
  onSilenceChange(index: number, change: SilenceChange, atMs: number): void {
    const alarm: Alarm = { subject: { kind: 'series', index }, side: DOWN, isSilence: true };
    const series = this.#registry.seriesAt(index);
    if (change.kind === 'closes') {
      this.#tracker.close(alarm, series, atMs);
      return;
    }
    const isMissed = ({ subject, side }: Alarm) =>
      side === DOWN && (subject.kind === 'series' || subject.kind === 'heartbeat') && subject.index === index;
    if (this.#tracker.hasOpenAlarm(isMissed)) return;
    const anomaly = anomalyOfSilence(change);
    this.#open({
      alarm,
      series,
      anomaly: { ...anomaly, ...this.#silenceOf(index, anomaly, atMs) },
      atMs,
    });
  }

  onHeartbeatChange(index: number, change: HeartbeatChange, atMs: number): void {
    const subject: AlarmSubject = { kind: 'heartbeat', index };
    const series = this.#registry.seriesAt(index);
    if (change.kind === 'returned') {
      this.#tracker.close({ subject, side: DOWN }, series, atMs);
      return;
    }
    const anomaly = anomalyOfHeartbeat(change);
    if (isErrorSeries(series)) {
      this.#tracker.suppress(subject, { reason: 'fewer_errors', series, anomaly }, atMs);
    } else {
      const silence = this.#silenceOf(index, anomaly, atMs);
      this.#tracker.open({
        alarm: { subject, side: DOWN },
        series,
        anomaly: { ...anomaly, ...silence },
        atMs,
      });
    }
  }

  onRuleFulfilled({ rule, anomaly }: FulfilledRule, atMs: number): void {
    const alarm = { subject: { kind: 'rule', rule }, side: UP } as const;
    this.#tracker.open({ alarm, series: seriesOfRule(rule), anomaly, atMs });
  }

  onRuleOver(rule: CountRule, atMs: number): void {
    this.#tracker.close({ subject: { kind: 'rule', rule }, side: UP }, seriesOfRule(rule), atMs);
  }

  onNewError(error: ErrorDelta, isNoisy: boolean): void {
    const { type, severity, source, fingerprint, atMs } = error;
    const series = { kind: 'new_kind', type, severity, source, fingerprint } as const;
    const anomaly = anomalyOfNewError(error);
    if (isNoisy) {
      this.#tracker.suppress(NEW_ERRORS, { reason: 'new_kinds_are_usual', series, anomaly }, atMs);
      return;
    }
    this.outbreak = { lastMs: atMs, groups: this.outbreak.groups + 1 };
    if (this.outbreak.groups > MAX_REPORTED_GROUPS) return;
    this.#tracker.open({ alarm: { subject: NEW_ERRORS, side: UP }, series, anomaly, atMs });
  }

  /** Ends the outbreak of new errors once it has been quiet. */
  advance(atMs: number): void {
    if (this.outbreak.groups === 0 || atMs - this.outbreak.lastMs <= NEW_ERRORS_QUIET_MS) return;
    this.#tracker.close({ subject: NEW_ERRORS, side: UP }, ANY_NEW_ERROR, atMs);
    this.rearmNewErrors();
  }

  /** New errors are reported again; where another incident has some, the outbreak goes on until it is quiet. */
  rearmNewErrors(): void {
    const isOpen = this.#tracker.hasOpenAlarm(({ subject }) => subject.kind === NEW_ERRORS.kind);
    this.outbreak.groups = isOpen ? 1 : 0;
  }
}

function riseOf({ observed, expected, windowMinutes }: Anomaly): Rise {
  return { observed, expected, minutes: windowMinutes };
}
