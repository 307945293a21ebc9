import type { DetectorEvent } from '@tocsin/detector';
import type { OpenedAlarm } from '../headline/opened-alarm.ts';

/** Consequence of a detector round for one incident, by its number within the project. */
export type IncidentPlan =
  /** Alarms have opened in it, or further events came for alarms that were open before. */
  | { kind: 'alarms'; incident: number; opened: OpenedAlarm[]; furtherEvents: number }
  /** All of its alarms have closed, and nothing can be attached to it any more. */
  | { kind: 'ends'; incident: number };

export type AlarmsPlan = Extract<IncidentPlan, { kind: 'alarms' }>;

/** Null: all have closed. */
export function openedOf(plan: IncidentPlan): OpenedAlarm[] | null {
  return plan.kind === 'alarms' ? plan.opened : null;
}

/** Plans in the order of the incidents' first mention; the end of an incident comes last. */
export function planIncidents(detectorEvents: DetectorEvent[], added: Map<number, number>): IncidentPlan[] {
  const plans = new Map<number, { opened: OpenedAlarm[]; furtherEvents: number; ends: boolean }>();
  const planOf = (incident: number) => {
    const plan = plans.get(incident) ?? { opened: [], furtherEvents: 0, ends: false };
    plans.set(incident, plan);
    return plan;
  };
  for (const [incident, events] of added) planOf(incident).furtherEvents = events;
  for (const event of detectorEvents) {
    if (event.kind === 'opens' || event.kind === 'attaches') planOf(event.incident).opened.push(event);
    if (event.kind === 'ends') planOf(event.incident).ends = true;
  }
  return [...plans].flatMap(([incident, { opened, furtherEvents, ends }]) => {
    const own: IncidentPlan[] = [];
    if (opened.length > 0 || furtherEvents > 0) own.push({ kind: 'alarms', incident, opened, furtherEvents });
    if (ends) own.push({ kind: 'ends', incident });
    return own;
  });
}
