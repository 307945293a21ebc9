/** Message with its instructions for push services (RFC 8030, 5). */
export interface PushMessage {
  /** JSON that fits one encrypted record. */
  payload: Buffer;
  urgency: 'low' | 'normal' | 'high';
  /** Replaces a message of the same topic that waits for the browser; at most 32 characters of base64url. */
  topic: string;
}

/** Outcome of a message to one browser. */
export type PushOutcome =
  | { kind: 'accepted'; status: number }
  | { kind: 'retry'; status: number | null; reason: string; retryAfterMs: number | null }
  /** The push service no longer knows the browser. */
  | { kind: 'gone'; status: number; reason: string }
  | { kind: 'refused'; status: number | null; reason: string };

export interface BrowserOutcome {
  /** A UUID. */
  browserId: string;
  pushed: PushOutcome;
}

/** Recipients of a message. UUIDs. */
export interface Recipients {
  organizationId: string;
  /** Null: all members. */
  userId: string | null;
  /** Browsers that have received the message already. */
  acceptedBy: readonly string[];
}

/** Sends a message to the browsers of members, and returns the outcome of each. */
export type PushToBrowsers = (recipients: Recipients, message: PushMessage) => Promise<BrowserOutcome[]>;
