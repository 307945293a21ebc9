import type { Severity } from '../events/severity.ts';
import type { Evidence, IncidentRow } from '../incidents/schema.ts';
import { isoTime } from '../platform/time.ts';
import { type Alarm, type Delta, WINDOW_MS } from './detector.ts';

const MAX_TITLE_LENGTH = 200;

/** What is to be done about a project's alarms. */
export type Action =
  | { kind: 'open'; title: string; severity: Severity; type: string; source: string | null; cause: OpenCause }
  | { kind: 'raise'; incident: IncidentRow; eventCount: number; severity: Severity };

interface OpenCause {
  eventCount: number;
  evidence: Evidence;
  previousIncidentId: string | null;
}

/**
 * From alarms to incidents: one unresolved incident per type and source. While it is unresolved, further
 * events of the series only raise it; what recurs later opens a new one that names the old. Pure.
 * @param latest the newest risk incident of each series
 */
export function decide(alarms: Alarm[], deltas: Delta[], latest: IncidentRow[]): Action[] {
  const latestOf = (series: { type: string; source: string | null }) =>
    latest.find((incident) => incident.type === series.type && incident.source === series.source);

  const raised = new Map<IncidentRow, { eventCount: number; severity: Severity }>();
  for (const delta of deltas) {
    const incident = latestOf(delta);
    if (!incident || incident.status === 'resolved') continue;
    const before = raised.get(incident) ?? { eventCount: 0, severity: 'error' };
    const severity = delta.critical ? 'critical' : before.severity;
    raised.set(incident, { eventCount: before.eventCount + delta.count, severity });
  }

  const unresolved = latest.some((incident) => incident.status !== 'resolved');
  const opened = alarms.flatMap((alarm): Action[] => {
    const incident = latestOf(alarm);
    if (incident && incident.status !== 'resolved') return [];
    // All series together are unusual because of the one that has its incident already.
    if (alarm.rule === 'spread' && unresolved) return [];
    return [toOpening(alarm, incident ?? null)];
  });
  return [
    ...[...raised].map(([incident, more]): Action => ({ kind: 'raise', incident, ...more })),
    ...opened,
  ];
}

function toOpening(alarm: Alarm, previous: IncidentRow | null): Action {
  const { rule, type, source, observed, expected, fromMs, toMs } = alarm;
  const severity = rule === 'critical' ? 'critical' : 'error';
  return {
    kind: 'open',
    title: shorten(
      `${severity === 'critical' ? 'Critical' : 'Errors'}: ${type}${source ? ` in ${source}` : ''}`,
    ),
    severity,
    type,
    source,
    cause: {
      eventCount: observed,
      evidence: {
        sentence: toSentence(alarm),
        rule,
        series: { type, source },
        observed,
        expected: Math.round(expected * 100) / 100,
        windowSeconds: WINDOW_MS / 1000,
        from: isoTime(fromMs),
        to: isoTime(toMs),
      },
      previousIncidentId: previous?.id ?? null,
    },
  };
}

function toSentence({ rule, type, source, observed, expected }: Alarm): string {
  const series = `\`${type}\`${source ? ` from \`${source}\`` : ''}`;
  const usual =
    expected < 0.05 ? 'nearly none' : `${expected < 10 ? expected.toFixed(1) : Math.round(expected)}`;
  if (rule === 'critical') return `A critical event: ${series}.`;
  const together = rule === 'spread' ? 'most of the errors of a project that has many at once, ' : '';
  return `${series}: ${together}${observed} errors in ${WINDOW_MS / 1000} s, expected ${usual} after the past hour.`;
}

function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_TITLE_LENGTH
    ? text
    : `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…`;
}
