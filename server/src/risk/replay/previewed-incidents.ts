import { type DetectorEvent, UP } from '@tocsin/detector';
import type { Static } from 'typebox';
import { type Severity, worst } from '../../events/severity.ts';
import { MAX_ALSO_SERIES, type RiskSeries, seriesKey } from '../../incidents/evidence-schema.ts';
import { isoTime } from '../../platform/time.ts';
import { type OpenedAlarm, toShownNumber, worstSeverityOf } from '../headline/opened-alarm.ts';
import { leadOf } from '../headline/ranking.ts';
import { toSentence } from '../headline/words.ts';
import type { Preview } from './schema.ts';

type PreviewedIncident = Static<typeof Preview>['incidents'][number];

const MAX_INCIDENTS = 500;

interface IncidentDraft {
  /** Alarms that opened it in the same minute: one of them describes it. */
  first: [OpenedAlarm, ...OpenedAlarm[]];
  /** Each series once, in the order in which they joined. */
  joined: Map<string, RiskSeries>;
  severity: Severity;
  endedMs: number | null;
}

/** Builds the incidents of a preview from a detector's events: those that opened at a time or after it. */
export class PreviewedIncidents {
  readonly #fromMs: number;
  /** Incidents by their numbers; the newest only, if there are too many. */
  readonly #incidents = new Map<number, IncidentDraft>();

  constructor(fromMs: number) {
    this.#fromMs = fromMs;
  }

  readonly take = (event: DetectorEvent): void => {
    if (event.kind === 'opens') this.#open(event);
    else if (event.kind === 'attaches') this.#attach(event);
    else if (event.kind === 'ends') {
      const incident = this.#incidents.get(event.incident);
      if (incident) incident.endedMs = event.atMs;
    }
  };

  newestFirst(): PreviewedIncident[] {
    return [...this.#incidents.values()].reverse().map(describe);
  }

  #open(alarm: OpenedAlarm): void {
    if (alarm.atMs < this.#fromMs) return;
    const [oldest] = this.#incidents.keys();
    if (oldest !== undefined && this.#incidents.size === MAX_INCIDENTS) this.#incidents.delete(oldest);
    this.#incidents.set(alarm.incident, {
      first: [alarm],
      joined: new Map(),
      severity: worstSeverityOf([alarm]),
      endedMs: null,
    });
  }

  #attach(alarm: OpenedAlarm): void {
    const incident = this.#incidents.get(alarm.incident);
    if (!incident) return;
    if (alarm.atMs === incident.first[0].atMs) incident.first.push(alarm);
    else incident.joined.set(seriesKey(alarm.series), alarm.series);
    incident.severity = worst(incident.severity, worstSeverityOf([alarm]));
  }
}

function describe({ first, joined, severity, endedMs }: IncidentDraft): PreviewedIncident {
  const { series, anomaly, atMs } = leadOf(first);
  const also = new Map([
    ...first.map((alarm) => [seriesKey(alarm.series), alarm.series] as const),
    ...joined,
  ]);
  also.delete(seriesKey(series));
  return {
    openedAt: isoTime(atMs),
    resolvedAt: endedMs === null ? null : isoTime(endedMs),
    direction: anomaly.side === UP ? 'up' : 'down',
    rule: anomaly.rule,
    ...(anomaly.ruleName !== undefined && { ruleName: anomaly.ruleName }),
    series,
    alsoSeries: [...also.values()].slice(0, MAX_ALSO_SERIES),
    alsoSeriesCount: also.size,
    observed: toShownNumber(anomaly.observed),
    expected: toShownNumber(anomaly.expected),
    windowSeconds: anomaly.windowMinutes * 60,
    severity,
    sentence: toSentence(series, anomaly, { toMs: atMs, lead: null }),
  };
}
