/** A browser as the database stores it; ids are UUIDs. */
export interface BrowserRow {
  id: string;
  userId: string;
  /** Encrypted subscription. */
  subscription: string;
  /** Name of the key pair that the subscription was made with. */
  encryptionKey: string;
  publicKey: string;
  /** Host of the push service. */
  host: string;
  userAgent: string | null;
  createdAt: Date;
  /** True if notifications are sent: its login has not ended, or ended by its age alone. */
  isActive: boolean;
  lastSuccessAt: Date | null;
  failingSince: Date | null;
  lastFailure: string | null;
}

export const BROWSER_COLUMNS = `b.id, b.user_id AS "userId", b.subscription, b.encryption_key AS "encryptionKey", b.host,
  (SELECT public_key FROM web_push_keys WHERE encryption_key = b.encryption_key) AS "publicKey", b.user_agent AS "userAgent", b.created_at AS "createdAt",
  (b.session_id IS NOT NULL OR b.outlives_session) AS "isActive", b.last_success_at AS "lastSuccessAt",
  b.failing_since AS "failingSince", b.last_failure AS "lastFailure"`;
