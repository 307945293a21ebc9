import type { IncidentDetail } from '../../../lib/api-types.ts';
import { ScheduleEvidence } from './schedule-evidence.tsx';
import { Surroundings } from './surroundings.tsx';

/** Evidence of an incident that the detector did not open: the check-ins of its schedule, or the events around it. */
export function OtherOrigin({ incident }: { incident: IncidentDetail }) {
  return incident.origin === 'schedule' ? (
    <ScheduleEvidence incident={incident} />
  ) : (
    <Surroundings incident={incident} />
  );
}
