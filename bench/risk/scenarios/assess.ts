import { type Incident, isAbout, leadOf } from './incident-log.ts';
import { DAY, HOUR, type Scenario, type Wish } from './scenario.ts';
import { compareSeverities, type Severity } from './severities.ts';

/** @returns each part of the wish that was not met, in a few words */
export function unmetParts({ wish, trouble }: Scenario, incidents: Incident[]): string[] {
  const unmet: string[] = [];
  const [least, most] = wish.incidents;
  if (incidents.length < least || incidents.length > most) {
    unmet.push(incidents.length === 0 ? 'not found' : `${incidents.length} incidents`);
  }
  if (incidents.length === 0) return unmet;
  const first = firstMinute(incidents) ?? Number.POSITIVE_INFINITY;
  if (wish.withinMinutes !== undefined && first > wish.withinMinutes) unmet.push('late');
  if (wish.notBeforeMinutes !== undefined && first < wish.notBeforeMinutes) unmet.push('too early');
  const lead = leadOfAll(incidents);
  if (!lead) return unmet;
  if (wish.severity?.least && compareSeverities(lead.severity, wish.severity.least) < 0)
    unmet.push('too mild');
  if (wish.severity?.most && compareSeverities(lead.severity, wish.severity.most) > 0)
    unmet.push('too severe');
  if (wish.lead && !isAbout(lead, wish.lead))
    unmet.push(`led by ${isAbout(lead, 'errors') ? 'errors' : 'traffic'}`);
  if (wish.sources !== undefined && mostSources(incidents) < wish.sources) {
    unmet.push(`${mostSources(incidents)} sources`);
  }
  const lastMinute = trouble.minutes + (wish.endsWithinMinutes ?? Number.POSITIVE_INFINITY);
  if (incidents.some(({ endedMinute }) => (endedMinute ?? Number.MAX_VALUE) > lastMinute)) {
    unmet.push('does not end in time');
  }
  return unmet;
}

/** When the first of the incidents opened. */
export function firstMinute(incidents: Incident[]): number | null {
  const minutes = incidents.flatMap(({ alarms }) => alarms.map(({ minute }) => minute));
  return minutes.length === 0 ? null : Math.min(...minutes);
}

/** The lead of the worst incident. */
export function leadOfAll(incidents: Incident[]): ReturnType<typeof leadOf> {
  return leadOf({ number: 0, alarms: incidents.flatMap(({ alarms }) => alarms), endedMinute: null });
}

function mostSources(incidents: Incident[]): number {
  return Math.max(...incidents.map(({ alarms }) => new Set(alarms.map(({ series }) => series.source)).size));
}

export function describeWish({
  incidents: [least, most],
  withinMinutes,
  notBeforeMinutes,
  severity,
  lead,
  sources,
  endsWithinMinutes,
}: Wish): string {
  if (most === 0) return 'none';
  const parts = [least === most ? `${least}` : least === 0 ? `at most ${most}` : `${least} to ${most}`];
  if (withinMinutes !== undefined) parts.push(`within ${formatMinutes(withinMinutes)}`);
  if (notBeforeMinutes !== undefined) parts.push(`not before ${formatMinutes(notBeforeMinutes)}`);
  const limits = describeSeverity(severity);
  if (limits) parts.push(limits);
  if (lead) parts.push(`led by ${lead}`);
  if (sources !== undefined) parts.push(`${sources} sources named`);
  if (endsWithinMinutes !== undefined) {
    parts.push(
      endsWithinMinutes < 0 ? 'ends while it lasts' : `ends ${formatMinutes(endsWithinMinutes)} after`,
    );
  }
  return parts.join(', ');
}

function describeSeverity(severity: { least?: Severity; most?: Severity } | undefined): string | null {
  if (severity?.least) return severity.least === 'critical' ? 'critical' : `${severity.least} or worse`;
  return severity?.most ? `at most ${severity.most}` : null;
}

export function formatMinutes(minutes: number): string {
  if (minutes < 2 * HOUR) return `${Math.round(minutes)} min`;
  if (minutes < 2 * DAY) return `${Number((minutes / HOUR).toFixed(1))} h`;
  return `${Number((minutes / DAY).toFixed(1))} d`;
}
