import { isDeepStrictEqual } from 'node:util';
import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { changedFields, pick } from '../../tenancy/audit/changed-fields.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { lockProject } from '../../tenancy/projects/lock-queries.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import type { Session } from '../../tenancy/session.ts';
import { findRiskSettings, upsertRiskSettings } from './queries.ts';
import type { CountRule, RiskSettings } from './schema.ts';

const FIELDS = ['budget', 'rules', 'newKinds'] as const;

/** @throws ApiError `not_found`; `validation_failed` for a duplicate rule */
export async function changeRiskSettings(
  store: Store,
  session: Session,
  id: string,
  patch: Partial<RiskSettings>,
): Promise<RiskSettings> {
  const rules = patch.rules?.map(withoutUnknownFields);
  if (rules) assertDistinct(rules);
  return inTransaction(store, async (transaction) => {
    const { organizationId } = session;
    const project = await requireProject(transaction, organizationId, id, lockProject);
    const before = await findRiskSettings(transaction, organizationId, project.id);
    const after: RiskSettings = {
      budget: patch.budget ?? before.budget,
      rules: rules ?? before.rules,
      newKinds: patch.newKinds ?? before.newKinds,
    };
    const changed = changedFields(before, after, FIELDS);
    if (changed.length === 0) return before;
    await upsertRiskSettings(transaction, organizationId, project.id, after);
    await recordChange(transaction, session, {
      action: 'project.risk_changed',
      target: ['proj', project.id],
      before: pick(before, changed),
      after: pick(after, changed),
    });
    return after;
  });
}

function withoutUnknownFields({ type, severity, source, events, minutes }: CountRule): CountRule {
  return { type, severity, source, events, minutes };
}

function assertDistinct(rules: CountRule[]): void {
  const repeat = rules.findIndex((rule, index) =>
    rules.slice(0, index).some((earlier) => isDeepStrictEqual(earlier, rule)),
  );
  if (repeat === -1) return;
  throw new ApiError('validation_failed', `body/rules/${repeat} is a duplicate.`, {
    fields: [{ pointer: `/rules/${repeat}`, message: 'is there already' }],
  });
}
