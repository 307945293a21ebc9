/** A mail address outside of the organization's members, with the state of its confirmation. */
export interface RecipientRow {
  organizationId: string;
  /** Normalized. */
  address: string;
  /** When it was last asked by mail; null: never. */
  askedAt: Date | null;
  /** True if the address has confirmed by itself. */
  hasConfirmed: boolean;
  /** True also if it is a former address of a member, whose membership confirms it. */
  isConfirmed: boolean;
  /** True if it is the verified address of a member, who needs no confirmation. */
  isMember: boolean;
}

/** The part of a target that recipients need. */
export interface MailedTarget {
  organizationId: string;
  /** Normalized address that it sends mail to; null: it sends none. */
  recipient: string | null;
}
