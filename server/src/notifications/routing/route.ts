import type { Severity } from '../../events/severity.ts';
import type { RouteChange } from '../../outbox/change.ts';
import type { MakerToken } from '../../tenancy/maker-token.ts';

/** A route as the database stores it; ids are UUIDs. */
export interface RouteRow {
  id: string;
  organizationId: string;
  targetId: string;
  fallbackTargetId: string | null;
  projectId: string | null;
  /** Null: all projects. */
  projectName: string | null;
  minSeverity: Severity;
  changes: RouteChange[];
  /** Maximum messages within any seven days; null: no limit. */
  maxPerWeek: number | null;
  createdAt: Date;
  madeByToken: MakerToken | null;
  updatedAt: Date;
}
