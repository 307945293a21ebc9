import { type DetectorEvent, severityOfAlarm, UP } from '@tocsin/detector';
import type { Subject } from './scenario.ts';
import { compareSeverities, type Severity } from './severities.ts';

type AlarmEvent = Extract<DetectorEvent, { incident: number; anomaly: unknown }>;
type Series = AlarmEvent['series'];

export interface LoggedAlarm {
  /** The number of its incident. */
  incident: number;
  /** Since the beginning of the trouble, to the end of the minute in which it opened. */
  minute: number;
  atMs: number;
  series: Series;
  severity: Severity;
  /** How far from the expectation, in either direction. */
  ratio: number;
  anomaly: AlarmEvent['anomaly'];
}

export interface Incident {
  number: number;
  alarms: LoggedAlarm[];
  endedMinute: number | null;
}

/** The outcome of a trouble: each incident with an alarm that opened after its beginning. */
export class IncidentLog {
  readonly incidents: Incident[] = [];
  readonly #beginMs: number;

  constructor(beginMs: number) {
    this.#beginMs = beginMs;
  }

  add(event: DetectorEvent): void {
    const alarm = toAlarm(event, this.#beginMs);
    if (alarm) this.#ensure(alarm.incident).alarms.push(alarm);
    if (event.kind !== 'ends') return;
    const incident = this.incidents.find(({ number }) => number === event.incident);
    if (incident) incident.endedMinute = minutesSince(this.#beginMs, event);
  }

  #ensure(number: number): Incident {
    const known = this.incidents.find((incident) => incident.number === number);
    if (known) return known;
    const incident: Incident = { number, alarms: [], endedMinute: null };
    this.incidents.push(incident);
    return incident;
  }
}

/** The alarm that opens with an event of the detector; null where none does. */
export function toAlarm(event: DetectorEvent, beginMs: number): LoggedAlarm | null {
  if (event.kind !== 'opens' && event.kind !== 'attaches') return null;
  const { incident, series, anomaly } = event;
  const severity = severityOfAlarm(series, anomaly);
  const minute = minutesSince(beginMs, event);
  return { incident, minute, atMs: event.atMs, series, severity, anomaly, ratio: ratioOf(anomaly) };
}

function minutesSince(beginMs: number, { atMs }: DetectorEvent): number {
  return (atMs - beginMs) / 60_000;
}

/** One event is added to both, so that a silence of few events does not stand above everything else. */
function ratioOf({ side, observed, expected }: AlarmEvent['anomaly']): number {
  const ratio = (observed + 1) / (expected + 1);
  return side === UP ? ratio : 1 / ratio;
}

/** The alarm that gives an incident its headline: the most severe one, of these the one with the largest ratio. */
export function leadOf({ alarms }: Incident): LoggedAlarm | undefined {
  return alarms.toSorted(
    (left, right) => compareSeverities(right.severity, left.severity) || right.ratio - left.ratio,
  )[0];
}

export function isAbout({ series, anomaly: { rule } }: LoggedAlarm, subject: Subject): boolean {
  const { kind, severity, type } = series;
  const isTrouble = severity === 'error' || severity === 'critical';
  const isError = isTrouble || kind === 'errors' || kind === 'new_kind' || kind === 'failed_payments';
  switch (subject) {
    case 'errors':
      return isError;
    case 'payments':
      return kind === 'failed_payments' || type === 'payment';
    case 'silence':
      return rule === 'silence' || rule === 'drop';
    case 'traffic':
      return !isError;
    default:
      subject satisfies never;
      return false;
  }
}

export function describeAlarm({ series, severity, anomaly: { rule } }: LoggedAlarm): string {
  const { kind, source, type } = series;
  const name = kind === 'events' || kind === 'new_kind' ? `${source ?? ''} ${type ?? ''}` : kind;
  const ofSeverity = kind === 'events' && series.severity !== 'info' ? ` ${series.severity ?? ''}` : '';
  return `${severity}: ${rule} ${name}${ofSeverity}`;
}

/** Each alarm in the order in which it opened, with its counts, and the ends. */
export function listIncidents(incidents: Incident[]): string[] {
  const lines = incidents.flatMap(({ number, alarms, endedMinute }) => [
    ...alarms.map((alarm) => {
      const { observed, expected, windowMinutes } = alarm.anomaly;
      const counts = `${observed.toPrecision(3)} of ${expected.toPrecision(3)} in ${Math.round(windowMinutes)} min`;
      return { minute: alarm.minute, text: `incident ${number}, ${describeAlarm(alarm)}, ${counts}` };
    }),
    ...(endedMinute === null ? [] : [{ minute: endedMinute, text: `incident ${number} ends` }]),
  ]);
  const ordered = lines.toSorted((left, right) => left.minute - right.minute);
  return ordered.map(({ minute, text }) => `+${Math.round(minute)} min: ${text}`);
}
