import { SEVERITIES } from '../events/severities.ts';
import type { SubjectChange } from '../outbox/decide-delivery.ts';
import type { UpdateMutation } from './mutation.ts';
import type { IncidentRow } from './rows.ts';

type Entry = Pick<UpdateMutation['entries'][number], 'userId' | 'before' | 'after'>;
type Incident = Pick<
  IncidentRow,
  'id' | 'organizationId' | 'projectId' | 'severity' | 'scheduleId' | 'updatedAt'
>;

/**
 * Classifies a change of an incident for notifications; null: nothing to notify of, such as a note or updated
 * numbers.
 */
export function notifiedChangeOf(
  { kind, entries }: { kind: 'create' | 'update'; entries: readonly Entry[] },
  { id, organizationId, projectId, severity, scheduleId, updatedAt }: Incident,
): SubjectChange | null {
  const make = (change: SubjectChange['change'], severityBefore = severity): SubjectChange => ({
    organizationId,
    projectId,
    subjectKind: 'incident',
    subjectId: id,
    change,
    severity,
    severityBefore,
    at: updatedAt,
  });
  const opened = scheduleId === null ? 'opened' : 'schedule_missed';
  if (kind === 'create') return make(opened);
  if (entries.some(({ after }) => after?.status === 'resolved')) return make('resolved');
  // The resolution was undone.
  if (entries.some(({ before }) => before?.status === 'resolved')) return make(opened);
  const rise = entries.find(
    ({ before, after }) =>
      before?.severity !== undefined &&
      after?.severity !== undefined &&
      SEVERITIES.indexOf(after.severity) > SEVERITIES.indexOf(before.severity),
  );
  if (rise) return make('worse', rise.before?.severity);
  if (entries.some(({ after }) => after?.status === 'investigating')) return make('acknowledged');
  const isUpdate = entries.some(({ userId, after }) => userId === null || after !== null);
  return isUpdate ? make('updated') : null;
}
