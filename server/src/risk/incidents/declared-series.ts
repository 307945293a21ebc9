import type { DetectorEvent } from '@tocsin/detector';

/** Null matches anything. */
interface DeclaredSeries {
  type: string | null;
  source: string | null;
}

/**
 * True if an alarm is an overdue heartbeat that a declared schedule expects instead: the schedule opens an incident
 * when the job fails, and one cause makes one incident.
 */
export function isDeclared(event: DetectorEvent, declared: DeclaredSeries[]): boolean {
  if (event.kind !== 'opens' && event.kind !== 'attaches') return false;
  const { series, anomaly } = event;
  if (!anomaly.heartbeat) return false;
  return declared.some(
    ({ type, source }) =>
      (type === null || type === series.type) && (source === null || source === series.source),
  );
}
