import { inTransaction, type Queryable, type Store } from '../../database/database.ts';
import { updateQuietHoursDue } from '../../outbox/deferral-queries.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toUuid } from '../../platform/ids.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { normalizeEmail } from '../../tenancy/email.ts';
import { lockOrganization } from '../../tenancy/organizations/queries.ts';
import type { Session } from '../../tenancy/session.ts';
import type { AnyChannel, ChannelConfig } from '../channels/base/channel.ts';
import { isSecretField } from '../channels/fields.ts';
import { CHANNELS, type ChannelKind } from '../channels/registry.ts';
import { noteRecipient } from '../recipients/ask-recipient.ts';
import { assertConfig, assertSecretsEntered, openConfig, sealConfig } from './config.ts';
import { countTargets, deleteTarget, findTarget, insertTarget, updateTarget } from './queries.ts';
import { findQuietHoursFault, type NewQuietHours, type QuietHours, withDefaults } from './quiet-hours.ts';
import type { TargetRow } from './target.ts';

/** Maximum targets of an organization. */
const MAX_TARGETS = 50;

export interface TargetStore extends Store {
  encryption: Encryption;
}

/** @throws ApiError `forbidden` */
export function assertMayChange(session: Session): void {
  if (session.role !== 'OWNER') throw new ApiError('forbidden', 'Only an OWNER can change notifications.');
}

/** @throws ApiError `not_found`, also for a target of another organization */
export async function requireTarget(
  database: Queryable,
  organizationId: string,
  id: string,
  lock?: 'lock',
): Promise<TargetRow> {
  const targetId = toUuid('ntg', id);
  const target = targetId && (await findTarget(database, organizationId, targetId, lock));
  if (!target) throw new ApiError('not_found', 'Notification target not found.');
  return target;
}

/**
 * @returns the target, and values that only this answer shows
 * @throws ApiError `forbidden`, `validation_failed`, `limit_reached`, `encryption_key_missing`
 */
export async function createTarget(
  { encryption, ...store }: TargetStore,
  session: Session,
  input: { kind: ChannelKind; name: string; config: ChannelConfig; quietHours?: NewQuietHours | null },
): Promise<{ target: TargetRow; shownOnce: Record<string, string> }> {
  assertMayChange(session);
  const { organizationId } = session;
  const channel = CHANNELS[input.kind];
  assertConfig(channel, input.config);
  const quietHours = readQuietHours(input.quietHours ?? null);
  const { config, shownOnce } = channel.complete?.(input.config) ?? { config: input.config, shownOnce: {} };
  return inTransaction(store, async (transaction) => {
    // One creation at a time, so that the limit holds.
    await lockOrganization(transaction, organizationId);
    if ((await countTargets(transaction, organizationId)) >= MAX_TARGETS) {
      throw new ApiError(
        'limit_reached',
        `An organization can have up to ${MAX_TARGETS} notification targets.`,
      );
    }
    const now = transaction.now();
    const id = newUuid(now);
    const name = input.name.trim();
    await insertTarget(transaction, {
      id,
      organizationId,
      kind: input.kind,
      name,
      quietHours,
      ...sealConfig(encryption, channel, config, id),
      recipient: recipientOf(channel, config),
      createdAt: new Date(now),
      madeByToken: session.token,
    });
    const target = await findTarget(transaction, organizationId, id);
    if (!target) throw new Error('A target disappeared in the transaction that created it.');
    await noteRecipient(transaction, target);
    await recordChange(transaction, session, {
      action: 'notification_target.created',
      target: ['ntg', id],
      before: null,
      after: shownOf(target),
    });
    return { target, shownOnce };
  });
}

/** @throws ApiError `forbidden`, `not_found`, `validation_failed`, `encryption_key_missing`, `encryption_key_wrong` */
export async function changeTarget(
  { encryption, ...store }: TargetStore,
  session: Session,
  id: string,
  patch: { name?: string; config?: ChannelConfig; enabled?: boolean; quietHours?: NewQuietHours | null },
): Promise<TargetRow> {
  assertMayChange(session);
  const quietHours = patch.quietHours === undefined ? undefined : readQuietHours(patch.quietHours);
  return inTransaction(store, async (transaction) => {
    const before = await requireTarget(transaction, session.organizationId, id, 'lock');
    const channel = CHANNELS[before.kind];
    let stored = {
      config: before.config,
      secrets: before.secrets,
      recipient: before.recipient,
    };
    if (patch.config) {
      const former = openConfig(encryption, before.id, before);
      const config = { ...former, ...patch.config };
      assertConfig(channel, config);
      assertSecretsEntered(channel, { before: former, after: config, patch: patch.config });
      stored = {
        ...sealConfig(encryption, channel, config, before.id),
        recipient: recipientOf(channel, config),
      };
    }
    const now = new Date(transaction.now());
    const after = await updateTarget(transaction, session.organizationId, {
      ...stored,
      id: before.id,
      name: patch.name?.trim() ?? before.name,
      quietHours: quietHours === undefined ? before.quietHours : quietHours,
      updatedAt: now,
      isEnabled: patch.enabled ?? null,
      madeByToken: patch.config ? session.token : before.madeByToken,
    });
    if (!after) throw new Error('A target disappeared while it was locked.');
    await noteRecipient(transaction, after);
    if (quietHours !== undefined) await updateQuietHoursDue(transaction, before.id, now);
    const secrets = Object.keys(patch.config ?? {}).filter((name) => isSecretField(channel, name));
    await recordChange(transaction, session, {
      action: 'notification_target.changed',
      target: ['ntg', before.id],
      before: shownOf(before),
      after: { ...shownOf(after), ...(secrets.length > 0 && { changedSecrets: secrets }) },
    });
    return after;
  });
}

/** @throws ApiError `forbidden`, `not_found` */
export async function removeTarget(store: Store, session: Session, id: string): Promise<void> {
  assertMayChange(session);
  const targetId = toUuid('ntg', id);
  await inTransaction(store, async (transaction) => {
    const target = targetId && (await deleteTarget(transaction, session.organizationId, targetId));
    if (!target) throw new ApiError('not_found', 'Notification target not found.');
    await recordChange(transaction, session, {
      action: 'notification_target.deleted',
      target: ['ntg', target.id],
      before: shownOf(target),
      after: null,
    });
  });
}

function recipientOf(channel: AnyChannel, config: ChannelConfig): string | null {
  const address = channel.recipientOf?.(config);
  return address === undefined ? null : normalizeEmail(address);
}

/** @throws ApiError `validation_failed` */
function readQuietHours(input: NewQuietHours | null): QuietHours | null {
  if (input === null) return null;
  const quietHours = withDefaults(input);
  const fault = findQuietHoursFault(quietHours);
  if (fault)
    throw new ApiError('validation_failed', `body${fault.pointer} ${fault.message}.`, { fields: [fault] });
  return quietHours;
}

/** Part of a target that the audit log shows: never a secret. */
function shownOf({ kind, name, config, quietHours, disabledAt }: TargetRow): object {
  return { kind, name, config, quietHours, enabled: disabledAt === null };
}
