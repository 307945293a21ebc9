import { inTransaction, type Store } from '../../database/database.ts';
import { changedFields, pick } from '../../tenancy/audit/changed-fields.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { lockProject } from '../../tenancy/projects/lock-queries.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import type { Session } from '../../tenancy/session.ts';
import { findRiskSettings, upsertRiskSettings } from './queries.ts';
import { readRules } from './read-rules.ts';
import type { RiskSettings, RiskSettingsPatch } from './schema.ts';

const FIELDS = ['budget', 'rules', 'newKinds'] as const;

/** @throws ApiError `not_found`; `validation_failed` for rules as `readRules` refuses them */
export async function changeRiskSettings(
  store: Store,
  session: Session,
  id: string,
  patch: RiskSettingsPatch,
): Promise<RiskSettings> {
  const rules = patch.rules && readRules(patch.rules);
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
