import type { SilenceScope } from '../../outbox/matches-silence.ts';

/** A silence as the database stores it; ids are UUIDs. */
export interface SilenceRow extends SilenceScope {
  id: string;
  organizationId: string;
  reason: string | null;
  /** True if detection learns meanwhile. */
  learn: boolean;
  createdBy: string;
  byName: string | null;
  startsAt: Date;
  until: Date;
  endedAt: Date | null;
  endedBy: string | null;
  endedByName: string | null;
  settledAt: Date | null;
  matched: number;
}
