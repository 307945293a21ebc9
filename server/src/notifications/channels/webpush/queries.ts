import type { Queryable } from '../../../database/database.ts';
import { BROWSER_COLUMNS, type BrowserRow } from './browser.ts';

export interface StoredVapidKeys {
  encryptionKey: string;
  publicKey: string;
  /** Encrypted private key. */
  privateKey: string;
}

const KEY_COLUMNS = `encryption_key AS "encryptionKey", public_key AS "publicKey", private_key AS "privateKey"`;

/** All key pairs that browsers were switched on with, oldest first. */
export async function listVapidKeys(database: Queryable): Promise<StoredVapidKeys[]> {
  const { rows } = await database.query<StoredVapidKeys>(
    `SELECT ${KEY_COLUMNS} FROM web_push_keys ORDER BY created_at, encryption_key LIMIT 100`,
  );
  return rows;
}

export async function findVapidKeys(
  database: Queryable,
  encryptionKey: string,
): Promise<StoredVapidKeys | null> {
  const { rows } = await database.query<StoredVapidKeys>(
    `SELECT ${KEY_COLUMNS} FROM web_push_keys WHERE encryption_key = $1`,
    [encryptionKey],
  );
  return rows[0] ?? null;
}

/** Inserts a key pair; if two processes make one at once, one of them succeeds. */
export async function insertVapidKeys(
  database: Queryable,
  { encryptionKey, publicKey, privateKey, createdAt }: StoredVapidKeys & { createdAt: Date },
): Promise<void> {
  await database.query(
    `INSERT INTO web_push_keys (encryption_key, public_key, private_key, created_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING`,
    [encryptionKey, publicKey, privateKey, createdAt],
  );
}

export async function listBrowsersOf(database: Queryable, userId: string): Promise<BrowserRow[]> {
  const { rows } = await database.query<BrowserRow>(
    `SELECT ${BROWSER_COLUMNS} FROM web_push_browsers b WHERE user_id = $1 ORDER BY id DESC`,
    [userId],
  );
  return rows;
}

/**
 * The browsers that a target reaches now: those of its organization's members whose logins have not ended.
 * @param userId one member; null: all of them
 */
export async function listActiveBrowsers(
  database: Queryable,
  { organizationId, userId, limit }: { organizationId: string; userId: string | null; limit: number },
): Promise<BrowserRow[]> {
  const { rows } = await database.query<BrowserRow>(
    `SELECT ${BROWSER_COLUMNS} FROM members m JOIN web_push_browsers b ON b.user_id = m.user_id
      WHERE m.organization_id = $1 AND ($2::uuid IS NULL OR m.user_id = $2)
        AND (b.session_id IS NOT NULL OR b.outlives_session)
      ORDER BY b.id LIMIT $3`,
    [organizationId, userId, limit],
  );
  return rows;
}

export async function findBrowser(
  database: Queryable,
  userId: string,
  browserId: string,
): Promise<BrowserRow | null> {
  const { rows } = await database.query<BrowserRow>(
    `SELECT ${BROWSER_COLUMNS} FROM web_push_browsers b WHERE user_id = $1 AND id = $2`,
    [userId, browserId],
  );
  return rows[0] ?? null;
}

/** Finds a browser of any user. */
export async function findBrowserByEndpoint(
  database: Queryable,
  endpointHash: Buffer,
): Promise<BrowserRow | null> {
  const { rows } = await database.query<BrowserRow>(
    `SELECT ${BROWSER_COLUMNS} FROM web_push_browsers b WHERE endpoint_hash = $1 FOR NO KEY UPDATE`,
    [endpointHash],
  );
  return rows[0] ?? null;
}

/** Counts the browsers of the user, and those of the organization. */
export async function countBrowsers(
  database: Queryable,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<{ own: number; all: number }> {
  const { rows } = await database.query<{ own: number; all: number }>(
    `SELECT count(*) FILTER (WHERE b.user_id = $2) AS own, count(*) AS all
      FROM members m JOIN web_push_browsers b ON b.user_id = m.user_id WHERE m.organization_id = $1`,
    [organizationId, userId],
  );
  return rows[0] ?? { own: 0, all: 0 };
}

interface NewBrowser
  extends Pick<
    BrowserRow,
    'id' | 'userId' | 'subscription' | 'encryptionKey' | 'host' | 'userAgent' | 'createdAt'
  > {
  endpointHash: Buffer;
  sessionId: string;
}

export async function insertBrowser(database: Queryable, browser: NewBrowser): Promise<void> {
  await database.query(
    `INSERT INTO web_push_browsers (id, user_id, endpoint_hash, subscription, encryption_key, host, user_agent, created_at,
        session_id)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      browser.id,
      browser.userId,
      browser.endpointHash,
      browser.subscription,
      browser.encryptionKey,
      browser.host,
      browser.userAgent,
      browser.createdAt,
      browser.sessionId,
    ],
  );
}

/** Attaches a browser to its user's new session. @returns null: the browser does not belong to this user */
export async function updateBrowserSession(
  database: Queryable,
  { userId, endpointHash, sessionId }: { userId: string; endpointHash: Buffer; sessionId: string },
): Promise<BrowserRow | null> {
  const { rows } = await database.query<BrowserRow>(
    `UPDATE web_push_browsers b SET session_id = $3, outlives_session = false
      WHERE user_id = $1 AND endpoint_hash = $2 RETURNING ${BROWSER_COLUMNS}`,
    [userId, endpointHash, sessionId],
  );
  return rows[0] ?? null;
}

/**
 * Detaches browsers from sessions that are about to be deleted for their age: that alone does not end notifications.
 */
export async function updateBrowsersOfExpiredSessions(database: Queryable, now: Date): Promise<void> {
  await database.query(
    `UPDATE web_push_browsers SET session_id = NULL, outlives_session = true
      WHERE session_id IN (SELECT id FROM sessions WHERE expires_at <= $1)`,
    [now],
  );
}

/** @param userId null: any user, once the push service no longer knows the browser */
export async function deleteBrowser(
  database: Queryable,
  userId: string | null,
  browserId: string,
): Promise<BrowserRow | null> {
  const { rows } = await database.query<BrowserRow>(
    `DELETE FROM web_push_browsers b WHERE id = $2 AND ($1::uuid IS NULL OR user_id = $1) RETURNING ${BROWSER_COLUMNS}`,
    [userId, browserId],
  );
  return rows[0] ?? null;
}

/** Stores how push services answered a message. */
export async function updateBrowserHealth(
  database: Queryable,
  { accepted, failed, now }: { accepted: string[]; failed: { id: string; reason: string }[]; now: Date },
): Promise<void> {
  await database.query(
    `UPDATE web_push_browsers b SET last_success_at = CASE WHEN f.reason IS NULL THEN $4 ELSE last_success_at END,
        failing_since = CASE WHEN f.reason IS NULL THEN NULL ELSE coalesce(failing_since, $4) END, last_failure = f.reason
      FROM (SELECT id, NULL AS reason FROM unnest($1::uuid[]) AS id
        UNION ALL SELECT * FROM unnest($2::uuid[], $3::text[]) AS failed (id, reason)) AS f
      WHERE b.id = f.id`,
    [accepted, failed.map(({ id }) => id), failed.map(({ reason }) => reason), now],
  );
}

/** Enables targets again that the service disabled because no browser was switched on: one is now. */
export async function updateBrowserTargets(database: Queryable, organizationId: string): Promise<void> {
  await database.query(
    `UPDATE notification_targets SET disabled_at = NULL, disabled_reason = NULL, failing_since = NULL, failures = 0,
        refusals = 0, blocked_until = NULL, last_failure = NULL
      WHERE organization_id = $1 AND kind = 'webpush' AND disabled_reason IS NOT NULL`,
    [organizationId],
  );
}
