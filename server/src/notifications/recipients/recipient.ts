/** An address outside of the organization's members, as it was asked whether it wants its mail. */
export interface RecipientRow {
  organizationId: string;
  /** Normalized. */
  address: string;
  /** When it was last asked by mail; null: not yet. */
  askedAt: Date | null;
  confirmedAt: Date | null;
  /** Until when it is sent messages without a confirmation; null: not at all. */
  graceUntil: Date | null;
  /** True if it is the verified address of a member, who needs no confirmation. */
  isMember: boolean;
}

/** What is known of a target here. */
export interface MailedTarget {
  organizationId: string;
  /** Normalized address that it sends mail to; null: it sends none. */
  recipient: string | null;
}
