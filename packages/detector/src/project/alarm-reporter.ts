import { type ShareExceedance, WANDERING_MINUTES } from '../exposure/share-exceedance.ts';
import type { SeriesGroup } from '../group/series-group.ts';
import type { SparseSeries } from '../group/sparse-series.ts';
import type { HeartbeatChange } from '../heartbeat/heartbeat.ts';
import { type AlarmChange, type Exceedance, withdrawAlarm } from '../series/alarm-state.ts';
import { acceptDrop } from '../series/error-series.ts';
import { isRise } from '../series/evidence.ts';
import type { SilenceChange } from '../series/expected-silence.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { type CoarseStep, MINUTES_PER_DAY } from '../state/resolution.ts';
import { DOWN, UP } from '../state/side.ts';
import type { CountRule, RiskSeries } from '../types.ts';
import type { Alarm, AlarmSubject } from './alarm-subject.ts';
import {
  type Anomaly,
  anomalyOfHeartbeat,
  anomalyOfSeries,
  anomalyOfShare,
  anomalyOfSilence,
} from './anomaly.ts';
import { type FulfilledRule, seriesOfRule } from './count-rules.ts';
import type { OpeningAlarm } from './incident-relations.ts';
import type { IncidentTracker } from './incident-tracker.ts';
import { besideCounts, findNewName } from './new-source.ts';
import { isShareOfPayments } from './payment-counts.ts';
import { ERRORS, FAILED_PAYMENTS, isErrorSeries, isSum, isTraffic, TOTAL } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import { severityOfAlarm } from './severity.ts';
import type { ShareChange, ShareMonitor } from './share-monitor.ts';
import { hadTrafficAlarm, isSharedMovement } from './shared-movement.ts';

const REASONS = { 'small-effect': 'small_effect', 'hour-of-week': 'hour_of_week' } as const;

/** Parts of a project by which alarms are decided. */
interface ReportedProject {
  tracker: IncidentTracker;
  registry: SeriesRegistry;
  group: SeriesGroup;
  sparse: SparseSeries;
  shares: ShareMonitor;
}

/** Decides which changes of a project's series, shares, heartbeats and rules are alarms, and reports them. */
export class AlarmReporter {
  readonly #project: ReportedProject;
  /** Rises and drops of sums in the step that is evaluated. */
  #sums: OpeningAlarm[] = [];

  constructor(project: ReportedProject) {
    this.#project = project;
  }

  /** @param coarseStep step of an alarm of a sparse series; missing: a minute */
  onSeriesChange(index: number, change: AlarmChange, atMs: number, coarseStep?: CoarseStep): void {
    const series = this.#project.registry.seriesAt(index);
    const subject: AlarmSubject = { kind: 'series', index };
    const alarm: Alarm = { subject, side: change.side, ...(coarseStep && { coarseStep }) };
    if (change.kind === 'closes') {
      this.#project.tracker.close(alarm, series, atMs);
      // Coarse steps end late: trouble that is over at a finer one does not wait for them.
      for (const { step, group } of this.#project.sparse.groupsOf(index)) {
        if (step <= (coarseStep ?? 1) || group.series.read(index).state.quietSteps(change.side) === 0)
          continue;
        this.#project.tracker.close({ subject, side: change.side, coarseStep: step }, series, atMs);
      }
      return;
    }
    const group = this.#groupOf(coarseStep);
    if (coarseStep && this.#isReported(index, change, coarseStep)) return;
    const isOfShare =
      change.side === UP && isShareOfPayments(this.#project.registry, this.#project.shares, index);
    if (isOfShare || (coarseStep && this.#movesWithReported(index, change, atMs))) {
      if (change.kind === 'opens') this.#withdraw(alarm);
      return;
    }
    const chance = group.falseAlarmsPerWeek(index, change);
    const found = anomalyOfSeries(group.resolution, change, chance);
    const anomaly = coarseStep ? this.#countMinutes(index, found, { coarseStep, atMs }) : found;
    if (change.kind !== 'opens') {
      const reason = change.kind === 'recovers' ? 'recovery' : REASONS[change.reason];
      this.#project.tracker.suppress(subject, { reason, series, anomaly }, atMs);
    } else if (change.side === DOWN && this.#isOfErrorsAlone(series)) {
      acceptDrop(group.series.change(index).state);
      this.#project.tracker.suppress(subject, { reason: 'fewer_errors', series, anomaly }, atMs);
    } else {
      const detailed = this.#explain(index, anomaly, atMs);
      // The ordinary errors of a service that has begun are nothing unusual.
      if (detailed.sourceMinutes !== undefined && detailed.exposure?.isInProportion) this.#withdraw(alarm);
      else this.#open({ alarm, series, anomaly: detailed, atMs });
    }
  }

  /** True if fewer events are no trouble: those of an error series, or of a project that sends errors alone. */
  #isOfErrorsAlone(series: RiskSeries): boolean {
    return isErrorSeries(series) || (series.kind === TOTAL.kind && !this.#project.registry.hasTraffic());
  }

  /**
   * Counts an anomaly of a coarse step by minutes: the running step is not over, and the last half hour is known by the minute.
   */
  #countMinutes(
    index: number,
    anomaly: Anomaly,
    { coarseStep, atMs }: { coarseStep: CoarseStep; atMs: number },
  ): Anomaly {
    const perMinute = anomaly.expected / anomaly.windowMinutes;
    const minutes = this.#project.group.series.read(index);
    if (anomaly.side === UP && minutes.latestCount() >= anomaly.observed) {
      const { steps, observed, expected } = minutes.latestExcess(UP, perMinute);
      return { ...anomaly, observed, expected, windowMinutes: steps };
    }
    const ofStep = (atMs / MINUTE_MS) % coarseStep || coarseStep;
    const windowMinutes = anomaly.windowMinutes - coarseStep + ofStep;
    return { ...anomaly, expected: perMinute * windowMinutes, windowMinutes };
  }

  /** Reports the sums after the series of the same step, to whose incidents they are attached. */
  reportSums(): void {
    for (const opening of this.#sums) {
      const { alarm, series, anomaly } = opening;
      const isOfPayments = anomaly.rule === 'rise' && this.#areOfPayments(series, anomaly);
      if (isOfPayments && !this.#project.tracker.hasOpenAlarm((other) => this.#isOfPayments(other)))
        this.#withdraw(alarm);
      else this.#project.tracker.open(opening);
    }
    this.#sums = [];
  }

  /** True if more errors in a project than usual are failed payments alone, whose share is evaluated by itself. */
  #areOfPayments(
    { kind }: RiskSeries,
    { observed, expected, windowMinutes }: Pick<Anomaly, 'observed' | 'expected' | 'windowMinutes'>,
  ): boolean {
    const payments = kind === ERRORS.kind ? this.#project.registry.indexOf(FAILED_PAYMENTS) : null;
    if (payments === null || !this.#project.shares.mayRiseOfPayments(payments)) return false;
    return !isRise(observed - this.#project.shares.failuresWithin(payments, windowMinutes), expected);
  }

  #isOfPayments({ subject }: Alarm): boolean {
    return subject.kind === 'series' && subject.index === this.#project.registry.indexOf(FAILED_PAYMENTS);
  }

  #withdraw({ subject, side, coarseStep }: Alarm): void {
    if (subject.kind === 'series')
      withdrawAlarm(this.#groupOf(coarseStep).series.change(subject.index).state, side);
  }

  #groupOf(coarseStep: CoarseStep | undefined): SeriesGroup {
    return coarseStep ? this.#project.sparse.groupOf(coarseStep) : this.#project.group;
  }

  /**
   * True if a finer step had an alarm within the window of a coarse one, or if the heartbeat has one: a second alarm would only
   * hold the incident for as long as the window.
   */
  #isReported(index: number, { side, window }: Exceedance, coarseStep: CoarseStep): boolean {
    const { group, sparse } = this.#project;
    const steps = sparse.groupOf(coarseStep).resolution.windows[window] as number; // it has the same resolution
    const finer = sparse.groupsOf(index).filter(({ step }) => step < coarseStep);
    const hadAlarm = ({ series }: SeriesGroup) => series.read(index).hadAlarm(side, steps * coarseStep);
    if (hadAlarm(group) || finer.some((coarse) => hadAlarm(coarse.group))) return true;
    const isHeartbeat = ({ subject }: Alarm) => subject.kind === 'heartbeat' && subject.index === index;
    return side === DOWN && this.#project.tracker.hasOpenAlarm(isHeartbeat);
  }

  /**
   * True if the traffic that a series moves with had an alarm in the last day, and none is open any more: its levels have
   * followed since, while the coarse steps of a sparse series still compare with the days before.
   */
  #movesWithReported(index: number, { side, observed, expected }: Exceedance, atMs: number): boolean {
    const member = this.#project.registry.seriesAt(index);
    const movement = { member, anomaly: { observed, expected }, side, minutes: MINUTES_PER_DAY, atMs };
    const isOpen = (alarm: Alarm) => alarm.side === side && alarm.subject.kind === 'series';
    if (!isTraffic(member) || this.#project.tracker.hasOpenAlarm(isOpen)) return false;
    return hadTrafficAlarm(this.#project, movement) && isSharedMovement(this.#project, movement);
  }

  onShareChange(index: number, change: ShareChange, atMs: number): void {
    const series = this.#project.registry.seriesAt(index);
    const isPayments = change.trialsAre === 'payments';
    const alarm: Alarm = { subject: { kind: isPayments ? 'series' : 'share', index }, side: UP };
    if (change.kind === 'closes') {
      this.#project.tracker.close(alarm, series, atMs);
      return;
    }
    const anomaly = anomalyOfShare(change, isPayments, change.falseAlarmsPerWeek);
    this.#open({ alarm, series, anomaly, atMs });
  }

  /**
   * True if an alarm of a share of errors would be no news: payments have their own, and a rise of the counts that was not in
   * proportion to the traffic has reported it.
   */
  isReportedShare(index: number, { failures, trials, usualShare, minutes }: ShareExceedance): boolean {
    const series = this.#project.registry.seriesAt(index);
    if (series.type === FAILED_PAYMENTS.type) return true;
    const rise = { observed: failures, expected: trials * usualShare, windowMinutes: minutes };
    if (this.#areOfPayments(series, rise)) return true;
    if (this.#project.shares.isInProportion(index)) return false;
    const isRise = ({ subject, side }: Alarm) =>
      subject.kind === 'series' && subject.index === index && side === UP;
    return (
      this.#project.tracker.hasOpenAlarm(isRise) ||
      this.#project.group.series.read(index).hadAlarm(UP, WANDERING_MINUTES)
    );
  }

  #open(found: OpeningAlarm): void {
    const { series, anomaly } = found;
    const rating = {
      severity: severityOfAlarm(series, anomaly),
      usualPerMinute: anomaly.expected / anomaly.windowMinutes,
    };
    const opening = { ...found, alarm: { ...found.alarm, rating } };
    if (isSum(opening.series)) this.#sums.push(opening);
    else this.#project.tracker.open(opening);
  }

  /** Adds the details that the project knows of a drop, a silence, or a rise of errors. */
  #explain(index: number, anomaly: Anomaly, atMs: number): Anomaly {
    const detailed = { ...anomaly, ...besideCounts(this.#project, index, anomaly, atMs) };
    const renamedTo = detailed.rule === 'silence' ? findNewName(this.#project, index, atMs) : null;
    if (detailed.side === UP)
      this.#project.shares.keepProportion(index, detailed.exposure?.isInProportion ?? false);
    return { ...detailed, ...(renamedTo !== null && { renamedTo }) };
  }

  /** Reports a silence, unless the counts or the heartbeat of the sender have reported it. */
  onSilenceChange(index: number, change: SilenceChange, atMs: number): void {
    const alarm: Alarm = { subject: { kind: 'series', index }, side: DOWN, isSilence: true };
    const series = this.#project.registry.seriesAt(index);
    if (change.kind === 'closes') {
      this.#project.tracker.close(alarm, series, atMs);
      return;
    }
    const isMissed = ({ subject, side }: Alarm) =>
      side === DOWN && (subject.kind === 'series' || subject.kind === 'heartbeat') && subject.index === index;
    if (this.#project.tracker.hasOpenAlarm(isMissed)) return;
    this.#openMissing({ alarm, series, anomaly: anomalyOfSilence(change), atMs }, index);
  }

  onHeartbeatChange(index: number, change: HeartbeatChange, atMs: number): void {
    const alarm: Alarm = { subject: { kind: 'heartbeat', index }, side: DOWN };
    const series = this.#project.registry.seriesAt(index);
    if (change.kind === 'returned') this.#project.tracker.close(alarm, series, atMs);
    else this.#openMissing({ alarm, series, anomaly: anomalyOfHeartbeat(change), atMs }, index);
  }

  /** Opens an alarm of missing events; fewer errors are no trouble. */
  #openMissing(opening: OpeningAlarm, index: number): void {
    const { alarm, series, anomaly, atMs } = opening;
    if (this.#isOfErrorsAlone(series))
      this.#project.tracker.suppress(alarm.subject, { reason: 'fewer_errors', series, anomaly }, atMs);
    else this.#open({ ...opening, anomaly: this.#explain(index, anomaly, atMs) });
  }

  onRuleFulfilled({ rule, anomaly }: FulfilledRule, atMs: number): void {
    const alarm = { subject: { kind: 'rule', rule }, side: UP } as const;
    this.#project.tracker.open({ alarm, series: seriesOfRule(rule), anomaly, atMs });
  }

  onRuleOver(rule: CountRule, atMs: number): void {
    this.#project.tracker.close({ subject: { kind: 'rule', rule }, side: UP }, seriesOfRule(rule), atMs);
  }
}
