import type { MakerToken } from '../../tenancy/maker-token.ts';
import type { ChannelKind } from '../channels/registry.ts';
import type { MailedTarget } from '../recipients/recipient.ts';
import type { StoredConfig } from './config.ts';
import type { QuietHours } from './quiet-hours.ts';

/** A target as the database stores it; ids are UUIDs. */
export interface TargetRow extends StoredConfig, MailedTarget {
  id: string;
  kind: ChannelKind;
  name: string;
  quietHours: QuietHours | null;
  createdAt: Date;
  madeByToken: MakerToken | null;
  updatedAt: Date;
  disabledAt: Date | null;
  disabledReason: string | null;
  failingSince: Date | null;
  failures: number;
  refusals: number;
  lastSuccessAt: Date | null;
  lastFailure: string | null;
}

export const TARGET_COLUMNS = `t.id, t.organization_id AS "organizationId", t.kind, t.name, t.recipient, t.config, t.secrets,
  t.quiet_hours AS "quietHours",
  t.created_at AS "createdAt", t.made_by_token AS "madeByToken", t.updated_at AS "updatedAt", t.disabled_at AS "disabledAt",
  t.disabled_reason AS "disabledReason", t.failing_since AS "failingSince", t.failures, t.refusals,
  t.last_success_at AS "lastSuccessAt", t.last_failure AS "lastFailure"`;
