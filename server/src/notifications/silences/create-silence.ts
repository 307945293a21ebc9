import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { requireHead } from '../../groups/require-group.ts';
import { lockFrames } from '../../incidents/frame-queries.ts';
import { annotateIncident } from '../../incidents/mutation.ts';
import { countTimelineByPeople } from '../../incidents/timeline-queries.ts';
import { writeIncident } from '../../incidents/write-incident.ts';
import { describeSilence } from '../../outbox/find-silences.ts';
import type { SilenceScope } from '../../outbox/matches-silence.ts';
import { insertMatches } from '../../outbox/silence-queries.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { CLOCK_TOLERANCE_MS } from '../../platform/stored-times.ts';
import { isoTime, parseIsoTime } from '../../platform/time.ts';
import { requireSchedule } from '../../schedules/require-schedule.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { lockOrganization } from '../../tenancy/organizations/queries.ts';
import { shareProject } from '../../tenancy/projects/lock-queries.ts';
import { findProject } from '../../tenancy/projects/queries.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import type { Session } from '../../tenancy/session.ts';
import { MAX_ACTIVE_SILENCES, MAX_SILENCE_DAYS, MAX_UNLEARNED_DAYS } from './limits.ts';
import { listMatchingIncidents } from './matching-incidents.ts';
import { countActiveSilences, findSilence, insertSilence } from './queries.ts';
import type { SilenceRow } from './rows.ts';
import type { NewProjectSilence, NewSilence } from './schema.ts';

/** Maximum open incidents whose timelines record a new silence: each sends a message to dashboards. */
const MAX_ANNOTATED = 20;
/** Limit of entries by people: a timeline keeps room for what they write. */
const MAX_ENTRIES_BY_PEOPLE = 500;

/**
 * Silences the given scope from now on. Every member may: it is undone as easily, and audited.
 * @throws ApiError `not_found`, `validation_failed`, `limit_reached`
 */
export async function createSilence(store: Store, session: Session, input: NewSilence): Promise<SilenceRow> {
  const { organizationId } = session;
  const untilMs = parseIsoTime(input.until) ?? NaN;
  return inTransaction(store, async (transaction) => {
    // The lock on frames comes first, and is acquired only for an existing scope.
    await readScope(transaction, session, input, findProject);
    await lockFrames(transaction);
    await lockOrganization(transaction, organizationId);
    const now = transaction.now();
    if (untilMs <= now) throw invalid('until', 'has to be in the future');
    if (untilMs > now + MAX_SILENCE_DAYS * DAY_MS + CLOCK_TOLERANCE_MS)
      throw invalid('until', `can be at most ${MAX_SILENCE_DAYS} days from now`);
    checkLearning(input, untilMs - now);
    if (
      (await countActiveSilences(transaction, organizationId, new Date(confirmedTime(transaction)))) >=
      MAX_ACTIVE_SILENCES
    )
      throw new ApiError(
        'limit_reached',
        `An organization can have up to ${MAX_ACTIVE_SILENCES} silences at a time.`,
      );
    const id = newUuid(now);
    const scope = await readScope(transaction, session, input, shareProject);
    const reason = input.reason?.trim() || null;
    const startsAt = new Date(now);
    const until = new Date(untilMs);
    const createdBy = session.user.id;
    const { learn = true } = input;
    await insertSilence(transaction, {
      id,
      organizationId,
      ...scope,
      reason,
      learn,
      createdBy,
      startsAt,
      until,
    });
    await coverOpenIncidents(transaction, session, { id, organizationId, ...scope, reason, until });
    await recordChange(transaction, session, {
      action: 'silence.created',
      target: ['sil', id],
      before: null,
      after: { ...shownOf(scope), until: isoTime(until), reason, ...(!learn && { learn }) },
    });
    const silence = await findSilence(transaction, organizationId, id);
    if (!silence) throw new ApiError('not_found', 'Project not found.');
    return silence;
  });
}

/** As above, a whole project for some minutes. */
export async function createProjectSilence(
  store: Store,
  session: Session,
  projectId: string,
  { minutes, ...rest }: NewProjectSilence,
): Promise<SilenceRow> {
  const until = isoTime(store.clock.now() + minutes * MINUTE_MS);
  return createSilence(store, session, { projectId, until, ...rest });
}

/** Counts open incidents as covered. If the silence covers less than a whole project, their timelines record it. */
async function coverOpenIncidents(
  transaction: Transaction,
  { user }: Session,
  silence: SilenceScope & Pick<SilenceRow, 'id' | 'organizationId' | 'reason' | 'until'>,
): Promise<void> {
  const incidents = await listMatchingIncidents(transaction, silence);
  if (incidents.length === 0) return;
  const now = transaction.now();
  const matches = incidents.map(({ id, projectId }) => ({ silenceId: silence.id, subjectId: id, projectId }));
  await insertMatches(transaction, matches, new Date(now));
  const { type, source, groupId, scheduleId, correlation } = silence;
  if ([type, source, groupId, scheduleId, correlation].every((field) => field === null)) return;
  const note = describeSilence({ ...silence, byName: user.name });
  for (const incident of incidents.slice(0, MAX_ANNOTATED)) {
    if ((await countTimelineByPeople(transaction, incident.id)) >= MAX_ENTRIES_BY_PEOPLE) continue;
    await writeIncident(transaction, annotateIncident(incident, note, user.id, now));
  }
}

async function readScope(
  transaction: Transaction,
  { organizationId }: Session,
  { projectId = null, groupId = null, scheduleId = null, correlation = null, ...input }: NewSilence,
  find: typeof findProject,
): Promise<SilenceScope> {
  const project =
    projectId === null ? null : await requireProject(transaction, organizationId, projectId, find);
  const now = new Date(transaction.now());
  const group = groupId === null ? null : await requireHead(transaction, organizationId, groupId, now);
  if (group && project && group.projectId !== project.id)
    throw invalid('groupId', 'is a group of another project');
  if (scheduleId !== null && projectId === null)
    throw invalid('scheduleId', 'needs the projectId of its project');
  const schedule =
    scheduleId === null || projectId === null
      ? null
      : await requireSchedule(transaction, organizationId, { id: projectId, scheduleId });
  return {
    projectId: project?.id ?? group?.projectId ?? null,
    type: input.type ?? null,
    source: input.source ?? null,
    severity: input.severity ?? null,
    groupId: group?.id ?? null,
    scheduleId: schedule?.id ?? null,
    correlation: correlation === null ? null : readCorrelation(correlation),
  };
}

function readCorrelation(text: string): { key: string; value: string } {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1) throw invalid('correlation', 'has to be KEY=VALUE');
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}

/** Detection counts by project, type, severity and source alone. */
function checkLearning(
  { learn = true, groupId = null, scheduleId = null, correlation = null }: NewSilence,
  lengthMs: number,
): void {
  if (learn) return;
  if (groupId !== null || scheduleId !== null || correlation !== null)
    throw invalid(
      'learn',
      'can be false for a project, type, source or severity, and not for a group, schedule or correlation',
    );
  if (lengthMs > MAX_UNLEARNED_DAYS * DAY_MS + CLOCK_TOLERANCE_MS)
    throw invalid('learn', `can be false for at most ${MAX_UNLEARNED_DAYS} days`);
}

function invalid(field: string, message: string): ApiError {
  return new ApiError('validation_failed', `body/${field} ${message}.`, {
    fields: [{ pointer: `/${field}`, message }],
  });
}

function shownOf({ projectId, groupId, scheduleId, correlation, ...rest }: SilenceScope): object {
  return {
    projectId: projectId && toId('proj', projectId),
    ...rest,
    groupId: groupId && toId('grp', groupId),
    scheduleId: scheduleId && toId('sch', scheduleId),
    correlation: correlation && `${correlation.key}=${correlation.value}`,
  };
}
