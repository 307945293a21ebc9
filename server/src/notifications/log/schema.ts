import { type Static, Type } from 'typebox';
import { Severity } from '../../events/severity.ts';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import type { RouteDecision, SkipReason } from '../../outbox/decide-delivery.ts';
import { describeSilence } from '../../outbox/find-silences.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { Deferral } from '../delivery/situation.ts';
import { TargetKind } from '../targets/schema.ts';
import type { DecidedChangeRow, DeferredDelivery, DeliveryRow } from './queries.ts';

export const Delivery = Type.Object({
  id: Type.String({ examples: ['dlv_01h455vb4pex5vsknk084sn02q'] }),
  targetId: Type.String(),
  targetName: Type.String(),
  kind: TargetKind,
  subject: Type.Object({
    kind: Type.Enum(['incident', 'group', 'schedule', 'digest']),
    id: Type.String(),
  }),
  change: Type.String({ description: 'Change in the outbox: `opened`, `worse`, `resolved`, …' }),
  severity: Severity,
  state: Type.Enum(['pending', 'delivered', 'failed', 'collapsed', 'held', 'dropped'], {
    description:
      '`collapsed`: a later message, or a digest, says it. `held`: it is older than 24 hours or from a restored backup, and waits for an OWNER. `dropped`: there was nothing to say any more.',
  }),
  isEdit: Type.Boolean(),
  attempts: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'HTTP status of the last answer.' })),
  reason: Nullable(Type.String({ description: 'Reason why the last attempt failed, or why none was made.' })),
  deferredBy: Type.Unsafe<Deferral | null>({
    enum: ['quiet_hours', 'budget', null],
    description: 'Reason for a delay: the quiet hours of the target, or `maxPerWeek` of the route.',
  }),
  body: Nullable(Type.String({ description: 'The first 2,000 characters of the last answer; for OWNERs.' })),
  elapsedMs: Nullable(Type.Integer()),
  createdAt: Timestamp,
  lastAttemptAt: Nullable(Timestamp),
  nextAttemptAt: Nullable(Timestamp),
  saidBy: Nullable(Type.String({ description: 'The delivery that says it as well.' })),
  fallbackFor: Nullable(Type.String({ description: 'The target that it stands in for.' })),
});
export type Delivery = Static<typeof Delivery>;

export const DecidedChange = Type.Object({
  id: Type.String(),
  change: Type.String(),
  severity: Severity,
  at: Timestamp,
  decisions: Type.Array(
    Type.Object({
      routeId: Type.String(),
      targetId: Type.String(),
      targetName: Nullable(Type.String({ description: 'Null: it is deleted.' })),
      decision: Type.Enum(['deliver', 'held', 'silenced', 'skipped'], {
        description: '`held`: it waits for the end of quiet hours, or for a digest.',
      }),
      reason: Type.String({ description: 'A sentence.' }),
    }),
  ),
});
export type DecidedChange = Static<typeof DecidedChange>;

export const HeldCount = Type.Object({ held: Type.Integer() });
export const HeldAction = Type.Object({
  action: Type.Enum(['release', 'drop'], {
    description: '`release`: they are sent, each incident in its present state. `drop`: they are never sent.',
  }),
});
export const HeldResult = Type.Object({ count: Type.Integer() });

const SUBJECT_PREFIX = { incident: 'inc', group: 'grp', schedule: 'inc', digest: 'dlv' } as const;

export function toDelivery(row: DeliveryRow, showsBody: boolean): Delivery {
  return {
    id: toId('dlv', row.id),
    targetId: toId('ntg', row.targetId),
    targetName: row.targetName,
    kind: row.kind,
    subject: { kind: row.subjectKind, id: toId(SUBJECT_PREFIX[row.subjectKind], row.subjectId) },
    change: row.change,
    severity: row.severity,
    state: row.state,
    isEdit: row.isEdit,
    attempts: row.attempts,
    status: row.lastStatus,
    reason: row.lastReason ?? (row.state === 'pending' ? row.deferredReason : null),
    deferredBy: row.deferredBy,
    body: showsBody ? row.lastBody : null,
    elapsedMs: row.lastElapsedMs,
    createdAt: isoTime(row.createdAt),
    lastAttemptAt: row.lastAttemptAt && isoTime(row.lastAttemptAt),
    nextAttemptAt: row.state === 'pending' ? isoTime(row.dueAt) : null,
    saidBy: row.collapsedInto && toId('dlv', row.collapsedInto),
    fallbackFor: row.fallbackOf && toId('ntg', row.fallbackOf),
  };
}

const REASONS: Record<SkipReason, string> = {
  other_project: 'The route is for another project.',
  below_severity: 'The severity is below the route’s.',
  change_not_chosen: 'The route doesn’t send this change.',
  target_disabled: 'The target is disabled.',
  sent_by_other_route: 'Another route sends it to the same target.',
  nothing_to_edit: 'No message to update.',
};

export function toDecidedChange(row: DecidedChangeRow): DecidedChange {
  const names = new Map(Object.entries(row.targetNames ?? {}));
  return {
    id: row.id,
    change: row.change,
    severity: row.severity,
    at: isoTime(row.createdAt),
    decisions: row.decisions.map(({ routeId, targetId, decision }) => {
      // One route of a target delivers: the outcome of the delivery belongs to that one.
      const deferred = decision.kind === 'deliver' ? row.deferred?.[targetId] : undefined;
      return {
        routeId: toId('nrt', routeId),
        targetId: toId('ntg', targetId),
        targetName: names.get(targetId) ?? null,
        decision: deferred?.state === 'pending' ? 'held' : decision.kind,
        reason: deferred ? deferredReasonOf(deferred) : reasonOf(decision),
      };
    }),
  };
}

/** “Held by quiet hours until 07:00 Europe/Berlin.”, and the outcome afterwards. */
function deferredReasonOf({ state, deferredReason, lastReason }: DeferredDelivery): string {
  if (state === 'delivered') return `${deferredReason} It has arrived.`;
  if (state === 'collapsed') return `${deferredReason} Merged into a later message.`;
  return lastReason === null ? deferredReason : `${deferredReason} ${lastReason}`;
}

function reasonOf(decision: RouteDecision['decision']): string {
  if (decision.kind === 'deliver') return 'The route sends it.';
  if (decision.kind === 'silenced') return describeSilence({ ...decision, until: new Date(decision.until) });
  return REASONS[decision.reason];
}
