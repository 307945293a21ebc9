import type { Queryable } from '../../../database/database.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Encryption } from '../../../platform/encryption/encryption.ts';
import { ApiError } from '../../../platform/errors.ts';
import type { BrowserOutcome, PushMessage, PushOutcome, PushToBrowsers } from '../base/push.ts';
import type { BrowserRow } from './browser.ts';
import { MAX_BROWSERS } from './limits.ts';
import { type PushSender, pushOnce } from './push-once.ts';
import { deleteBrowser, findVapidKeys, listActiveBrowsers, updateBrowserHealth } from './queries.ts';
import { openSubscription } from './stored-subscription.ts';
import type { VapidKeys } from './vapid.ts';
import { openVapidKeys } from './vapid-keys.ts';

/** Maximum concurrent requests. */
const MAX_AT_ONCE = 50;
/** No request begins after it: with its own time limit of 15 s the last one ends within the lease of a target. */
const BEGIN_LIMIT_MS = 10_000;

export interface PushDependencies extends PushSender {
  database: Queryable;
  clock: Clock;
  encryption: Encryption;
}

/** Sends a message to the browsers of members. A browser that its push service no longer knows is deleted. */
export function createPushToBrowsers(pushing: PushDependencies): PushToBrowsers {
  return async ({ organizationId, userId, acceptedBy }, message) => {
    const active = await listActiveBrowsers(pushing.database, {
      organizationId,
      userId,
      limit: MAX_BROWSERS,
    });
    const browsers = active.filter(({ id }) => !acceptedBy.includes(id));
    return pushToEach({ ...pushing, organizationId }, browsers, message);
  };
}

/** @param organizationId UUID of the organization of its user */
export type PushToBrowser = (
  browser: BrowserRow,
  message: PushMessage,
  organizationId: string,
) => Promise<PushOutcome>;

interface PushingFor extends PushDependencies {
  organizationId: string;
}

/** Sends a message to a single browser. */
export function createPushToBrowser(pushing: PushDependencies): PushToBrowser {
  return async (browser, message, organizationId) => {
    const [result] = await pushToEach({ ...pushing, organizationId }, [browser], message);
    return result?.pushed ?? LATE;
  };
}

async function pushToEach(
  pushing: PushingFor,
  browsers: readonly BrowserRow[],
  message: PushMessage,
): Promise<BrowserOutcome[]> {
  const startedMs = performance.now();
  const waiting = [...browsers];
  const results: BrowserOutcome[] = [];
  const keysOf = readKeysOnce(pushing);
  const work = async () => {
    for (let browser = waiting.shift(); browser; browser = waiting.shift()) {
      const isLate = performance.now() - startedMs > BEGIN_LIMIT_MS;
      const pushed = isLate ? LATE : await pushTo({ ...pushing, keysOf }, browser, message);
      results.push({ browserId: browser.id, pushed });
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, browsers.length) }, work));
  await recordResults(pushing, results);
  return results;
}

const LATE: PushOutcome = {
  kind: 'retry',
  status: null,
  reason: 'The time was used up by other browsers.',
  retryAfterMs: null,
};

/** Reads each key pair once; there is hardly ever more than one. */
function readKeysOnce({
  database,
  encryption,
}: PushDependencies): (encryptionKey: string) => Promise<VapidKeys> {
  const read = new Map<string, Promise<VapidKeys>>();
  const readKeys = async (encryptionKey: string) => {
    const stored = await findVapidKeys(database, encryptionKey);
    if (!stored) throw new Error('The key pair that a browser refers to does not exist.');
    return openVapidKeys(encryption, stored);
  };
  return (encryptionKey) => {
    const keys = read.get(encryptionKey) ?? readKeys(encryptionKey);
    read.set(encryptionKey, keys);
    return keys;
  };
}

async function pushTo(
  pushing: PushingFor & { keysOf: (encryptionKey: string) => Promise<VapidKeys> },
  browser: BrowserRow,
  message: PushMessage,
): Promise<PushOutcome> {
  const { clock, encryption, keysOf, organizationId } = pushing;
  try {
    const subscription = openSubscription(encryption, browser);
    const vapidKeys = await keysOf(browser.encryptionKey);
    return await pushOnce(pushing, subscription, {
      message,
      vapidKeys,
      nowMs: clock.now(),
      organizationId,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'refused', status: null, reason: error.message };
  }
}

async function recordResults(
  { database, clock }: PushDependencies,
  results: readonly BrowserOutcome[],
): Promise<void> {
  const accepted = results.filter(({ pushed }) => pushed.kind === 'accepted');
  const failed = results.flatMap(({ browserId, pushed }) =>
    pushed.kind === 'retry' || pushed.kind === 'refused' ? [{ id: browserId, reason: pushed.reason }] : [],
  );
  for (const { browserId, pushed } of results) {
    if (pushed.kind === 'gone') await deleteBrowser(database, null, browserId);
  }
  if (accepted.length + failed.length === 0) return;
  const now = new Date(clock.now());
  await updateBrowserHealth(database, { accepted: accepted.map(({ browserId }) => browserId), failed, now });
}
