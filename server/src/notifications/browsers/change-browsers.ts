import { inTransaction, type Queryable, type Store } from '../../database/database.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toUuid } from '../../platform/ids.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { lockOrganization } from '../../tenancy/organizations/queries.ts';
import type { Session } from '../../tenancy/session.ts';
import type { BrowserRow } from '../channels/webpush/browser.ts';
import { isSubscriptionKeys, type Subscription } from '../channels/webpush/encrypt-push.ts';
import { MAX_BROWSERS, MAX_OWN_BROWSERS } from '../channels/webpush/limits.ts';
import {
  countBrowsers,
  deleteBrowser,
  findBrowser,
  findBrowserByEndpoint,
  insertBrowser,
  updateBrowserSession,
  updateBrowserTargets,
} from '../channels/webpush/queries.ts';
import { hashEndpoint, sealSubscription } from '../channels/webpush/stored-subscription.ts';
import { findOrCreateVapidKeys } from '../channels/webpush/vapid-keys.ts';
import { readTargetUrl } from '../outgoing/target-url.ts';

export interface BrowserStore extends Store {
  encryption: Encryption;
}

/** @throws ApiError `not_found`, also for a browser of another user */
export async function requireBrowser(
  database: Queryable,
  { user }: Session,
  id: string,
): Promise<BrowserRow> {
  const browserId = toUuid('brw', id);
  const browser = browserId && (await findBrowser(database, user.id, browserId));
  if (!browser) throw new ApiError('not_found', 'Browser not found.');
  return browser;
}

/**
 * Switches notifications on in a browser until its user logs out there. A subscription is known to its
 * browser alone, so one that another user has switched on there ends.
 * @throws ApiError `validation_failed`, `limit_reached`, `encryption_key_missing`
 */
export async function addBrowser(
  { encryption, ...store }: BrowserStore,
  session: Session,
  { subscription, userAgent }: { subscription: Subscription; userAgent: string | null },
): Promise<BrowserRow> {
  const host = readHost(subscription);
  const { organizationId, user } = session;
  return inTransaction(store, async (transaction) => {
    // One at a time, so that the limits hold.
    await lockOrganization(transaction, organizationId);
    const now = new Date(transaction.now());
    const { encryptionKey } = await findOrCreateVapidKeys(transaction, encryption, now);
    const endpointHash = hashEndpoint(subscription.endpoint);
    const before = await findBrowserByEndpoint(transaction, endpointHash);
    if (before) await deleteBrowser(transaction, null, before.id);
    await assertRoom(transaction, session);
    const isSame = before?.userId === user.id;
    const id = isSame ? before.id : newUuid(now.getTime());
    await insertBrowser(transaction, {
      id,
      userId: user.id,
      endpointHash,
      subscription: sealSubscription(encryption, subscription, id),
      encryptionKey,
      host,
      userAgent,
      createdAt: isSame ? before.createdAt : now,
      sessionId: session.id,
    });
    await updateBrowserTargets(transaction, organizationId);
    if (!isSame) {
      await recordChange(transaction, session, {
        action: 'browser.added',
        target: ['brw', id],
        before: null,
        after: { host, userAgent },
      });
    }
    return requireRow(await findBrowser(transaction, user.id, id));
  });
}

/**
 * Continues to notify a browser in which its user has logged in again.
 * @throws ApiError `not_found`: the user has not switched it on, or has removed it
 */
export async function resumeBrowser(
  store: Store,
  { id: sessionId, user }: Session,
  endpoint: string,
): Promise<BrowserRow> {
  const browser = await updateBrowserSession(store.pool, {
    userId: user.id,
    endpointHash: hashEndpoint(endpoint),
    sessionId,
  });
  if (!browser) throw new ApiError('not_found', 'You haven’t turned on notifications in this browser.');
  return browser;
}

/** @throws ApiError `not_found` */
export async function removeBrowser(store: Store, session: Session, id: string): Promise<void> {
  const browserId = toUuid('brw', id);
  await inTransaction(store, async (transaction) => {
    const browser = browserId && (await deleteBrowser(transaction, session.user.id, browserId));
    if (!browser) throw new ApiError('not_found', 'Browser not found.');
    await recordChange(transaction, session, {
      action: 'browser.removed',
      target: ['brw', browser.id],
      before: { host: browser.host, userAgent: browser.userAgent },
      after: null,
    });
  });
}

/** @throws ApiError `limit_reached` */
async function assertRoom(
  database: Queryable,
  { organizationId, user }: Pick<Session, 'organizationId' | 'user'>,
): Promise<void> {
  const { own, all } = await countBrowsers(database, { organizationId, userId: user.id });
  if (own >= MAX_OWN_BROWSERS) {
    throw new ApiError(
      'limit_reached',
      `You can be notified in up to ${MAX_OWN_BROWSERS} browsers: remove one that you no longer use.`,
    );
  }
  if (all >= MAX_BROWSERS) {
    throw new ApiError('limit_reached', `An organization can have up to ${MAX_BROWSERS} browsers.`);
  }
}

/** @throws ApiError `validation_failed` for a subscription that no browser makes */
function readHost({ endpoint, keys }: Subscription): string {
  const read = readTargetUrl(endpoint);
  if ('problem' in read) throw invalid('/endpoint', read.problem);
  if (read.url.protocol !== 'https:') throw invalid('/endpoint', 'The endpoint must begin with https://.');
  if (!isSubscriptionKeys(keys)) throw invalid('/keys', 'The keys are not those of a push subscription.');
  return read.url.host;
}

function invalid(pointer: string, message: string): ApiError {
  return new ApiError('validation_failed', `body${pointer}: ${message}`, { fields: [{ pointer, message }] });
}

function requireRow(row: BrowserRow | null): BrowserRow {
  if (!row) throw new Error('A browser disappeared in the transaction that created it.');
  return row;
}
