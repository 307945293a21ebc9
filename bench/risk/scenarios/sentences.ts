import { toSentence } from 'tocsin/sentence';
import { type Incident, type LoggedAlarm, leadOf } from './incident-log.ts';
import type { Scenario } from './scenario.ts';

/** Scenarios whose first incident is worded. */
const WORDED = ['1', '2', '3b', '4c', '5a', '5b', '5c', '6', '7', '8', '9', '10', '11d', '17', '20'];
const MINUTE_MS = 60_000;

/** Returns a scenario, when its trouble began, and the sentence with which its first incident opens; null: there is none. */
export function wordFirst({ id, title }: Scenario, incidents: Incident[]): string[] | null {
  const [first] = incidents;
  const opening = first?.alarms.filter(({ minute }) => minute === first.alarms[0]?.minute);
  const lead = first && opening && leadOf({ ...first, alarms: opening });
  if (!lead || !WORDED.includes(id)) return null;
  return [id, title, clockOf(lead.atMs - lead.minute * MINUTE_MS), sentenceOf(lead)];
}

/** The service counts the lead by its stored minutes; here it begins as the detector has it. */
function sentenceOf({ atMs, series, anomaly }: LoggedAlarm): string {
  const { lastEventMinutesAgo = 0, ...known } = anomaly;
  const { rule, heartbeat, windowMinutes } = known;
  const silentMinutes = heartbeat?.seenMinutesAgo ?? lastEventMinutesAgo;
  const minutes = rule === 'silence' && silentMinutes > 0 ? silentMinutes : windowMinutes;
  const since = new Date(atMs - minutes * MINUTE_MS).toISOString();
  // Simulated counts come at the beginning of their minute: a drop has events in its last one.
  return toSentence(series, rule === 'drop' ? known : anomaly, { toMs: atMs, lead: { since } });
}

function clockOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(11, 16);
}
