import type { IncidentGroup, SilenceRecord, SilenceValues } from '../../lib/api-types.ts';
import type { SilenceSubject } from '../../ui/silences/silence-slot.tsx';
import { texts } from './texts.ts';

type Scope = Pick<SilenceValues, 'projectId' | 'type' | 'source' | 'groupId' | 'scheduleId'>;

/** Returns true if detection can leave the scope out: it counts by project, type and source, not by group or schedule. */
export const mayLeaveOut = ({ groupId, scheduleId }: Scope): boolean => !groupId && !scheduleId;

export interface ScopeChoice {
  label: string;
  scope: Scope;
}

/** Minimum share of an incident's events that a group must have to cover it; the same as in the service. */
const COVERED_SHARE = 0.9;

/** Returns the scopes that the page of an incident or a group offers, the narrowest first; that of a scheduled job is the job alone. */
export function scopesOf(
  { id, projectId, type, source, groupKey, scheduleId }: SilenceSubject,
  groups: readonly IncidentGroup[] = [],
): ScopeChoice[] {
  const words = texts.dialog.scopes;
  if (scheduleId !== null) return [{ label: words.schedule, scope: { projectId, scheduleId } }];
  const [main] = groups;
  const ofGroup = (groupId: string, key: string) => ({
    label: words.group(key),
    scope: { projectId, groupId },
  });
  return [
    ...(groupKey === null ? [] : [ofGroup(id, groupKey)]),
    ...(type === null
      ? []
      : [
          {
            label: words.series([type, source].filter(Boolean).join(' · ')),
            scope: { projectId, type, source },
          },
        ]),
    ...(groupKey === null && main && main.share >= COVERED_SHARE
      ? [ofGroup(main.group.id, main.group.key)]
      : []),
    ...(source === null ? [] : [{ label: words.source(source), scope: { projectId, source } }]),
    { label: words.project, scope: { projectId } },
  ];
}

/** Describes the scope of a silence. */
export function describeScope(silence: SilenceRecord, names: ReadonlyMap<string, string>): string {
  const words = texts.shown;
  const { projectId, type, source, severity, groupId, scheduleId, correlation } = silence;
  const name = projectId === null ? null : names.get(projectId);
  const parts = [
    type !== null && words.type(type),
    source !== null && words.source(source),
    severity !== null && words.severity(severity),
    groupId !== null && words.group,
    scheduleId !== null && words.schedule,
    correlation !== null && words.correlation(correlation),
    projectId !== null && (name === undefined || name === null ? words.unknownProject : words.project(name)),
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(', ') : words.everything;
}
