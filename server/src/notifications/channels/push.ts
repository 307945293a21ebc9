/** A message as push services are asked to treat it (RFC 8030, 5). */
export interface PushMessage {
  /** JSON that fits one encrypted record. */
  payload: Buffer;
  urgency: 'low' | 'normal' | 'high';
  /** Replaces a message of the same topic that waits for the browser; at most 32 characters of base64url. */
  topic: string;
}

/** What became of a message to one browser. */
export type Pushed =
  | { kind: 'accepted'; status: number }
  | { kind: 'retry'; status: number | null; reason: string; retryAfterMs: number | null }
  /** The push service knows the browser no more. */
  | { kind: 'gone'; status: number; reason: string }
  | { kind: 'refused'; status: number | null; reason: string };

export interface PushedTo {
  /** A UUID. */
  browserId: string;
  pushed: Pushed;
}

/** Whom a message goes to. UUIDs. */
export interface Recipients {
  organizationId: string;
  /** Null: all members. */
  userId: string | null;
  /** Browsers that have the message already. */
  acceptedBy: readonly string[];
}

/** Sends a message to the browsers of members, and answers for each what became of it. */
export type PushToBrowsers = (recipients: Recipients, message: PushMessage) => Promise<PushedTo[]>;
