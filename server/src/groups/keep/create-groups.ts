import type { Queryable } from '../../database/database.ts';
import { MORE_FINGERPRINT } from '../../events/group-queries.ts';
import { isErrorOrWorse } from '../../events/severity.ts';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import { enqueueChanges } from '../../outbox/enqueue-changes.ts';
import { newUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { addNewGroups } from '../../releases/queries.ts';
import { lockGroups } from '../queries.ts';
import type { GroupRow } from '../schema.ts';
import { insertGroupUpdates } from '../update-queries.ts';
import { keyOf, type Print } from './batch.ts';
import {
  addGroupNumbers,
  type Claim,
  type Grant,
  insertFormerFingerprints,
  insertGroups,
  type NewGroup,
  upsertFingerprints,
} from './new-group-queries.ts';
import { listPlaces } from './place-queries.ts';

/**
 * Groups for fingerprints that lead to none: a group that the former algorithm knows, a new one, or, beyond the bound of
 * a day, the one for all further kinds. The groups are locked.
 */
export async function createGroups(
  transaction: Queryable,
  missing: readonly Print[],
): Promise<{ created: Map<Print, GroupRow>; begun: number; folded: number }> {
  const known = await listPlaces(transaction, missing);
  const adopted = new Map(
    known.map(({ projectId, fingerprint, groupId }) => [keyOf(projectId, fingerprint), groupId]),
  );
  const unknown = missing.filter(({ projectId, fingerprint }) => !adopted.has(keyOf(projectId, fingerprint)));
  const { granted, folded } = await takeNumbers(transaction, unknown);

  const claims: Claim[] = known.map(({ projectId, fingerprint, groupId }) => ({
    projectId,
    fingerprint,
    groupId,
    number: null,
  }));
  for (const { id, number, print } of granted)
    claims.push({ projectId: print.projectId, fingerprint: print.fingerprint, groupId: id, number });
  const foldedProjects = new Map(folded.map((print) => [print.projectId, print]));
  const more = [...foldedProjects.values()].map((print) => ({
    id: newUuid(print.receivedMs),
    number: 0,
    print: { ...print, fingerprint: MORE_FINGERPRINT, firstRelease: null },
  }));
  for (const { id, print } of more)
    claims.push({ projectId: print.projectId, fingerprint: MORE_FINGERPRINT, groupId: id, number: 0 });

  const led = new Map(
    (await upsertFingerprints(transaction, claims)).map((claim) => [
      keyOf(claim.projectId, claim.fingerprint),
      claim.groupId,
    ]),
  );
  const isOurs = ({ id, print }: NewGroup) => led.get(keyOf(print.projectId, print.fingerprint)) === id;
  const ours = [...granted, ...more].filter(isOurs);
  if (ours.length > 0) {
    await insertGroups(transaction, ours);
    const announced = ours.map(({ id, print: { projectId } }) => ({ id, projectId }));
    await insertGroupUpdates(transaction, 'group_created', announced);
    await enqueueChanges(
      transaction,
      ours.filter(({ number }) => number > 0).map(({ id, print }) => newGroupChange(id, print)),
    );
  }
  const begun = ours.flatMap(({ number, print: { projectId, firstRelease } }) =>
    number > 0 && firstRelease !== null ? [{ projectId, release: firstRelease }] : [],
  );
  if (begun.length > 0) await addNewGroups(transaction, begun);
  const former = ours.flatMap(({ id, print: { projectId, fingerprint, former: before, receivedMs } }) =>
    before === null || before === fingerprint
      ? []
      : [{ projectId, fingerprint: before, groupId: id, receivedMs }],
  );
  if (former.length > 0) await insertFormerFingerprints(transaction, former);

  const groups = await lockGroups(transaction, [...new Set(led.values())].toSorted());
  const byId = new Map(groups.map((group) => [group.id, group]));
  const foldedPrints = new Set(folded);
  const created = new Map<Print, GroupRow>();
  for (const print of missing) {
    const fingerprint = foldedPrints.has(print) ? MORE_FINGERPRINT : print.fingerprint;
    const group = byId.get(led.get(keyOf(print.projectId, fingerprint)) ?? '');
    if (group) created.set(print, group);
  }
  return { created, begun: ours.filter(({ number }) => number > 0).length, folded: folded.length };
}

function newGroupChange(
  subjectId: string,
  { organizationId, projectId, severity, receivedMs }: Print,
): SubjectChange {
  return {
    organizationId,
    projectId,
    subjectKind: 'group',
    subjectId,
    change: 'group_new',
    severity,
    severityBefore: severity,
    at: new Date(receivedMs),
  };
}

/** The oldest kinds first, errors apart from all others: so that noise leaves room for what matters. */
async function takeNumbers(
  transaction: Queryable,
  prints: readonly Print[],
): Promise<{ granted: NewGroup[]; folded: Print[] }> {
  if (prints.length === 0) return { granted: [], folded: [] };
  const byProject = new Map<string, Print[]>();
  for (const print of prints.toSorted((left, right) => left.firstMs - right.firstMs)) {
    const list = byProject.get(print.projectId);
    if (list) list.push(print);
    else byProject.set(print.projectId, [print]);
  }
  const wanted = [...byProject].map(([projectId, list]) => {
    const errors = list.filter(({ severity }) => isErrorOrWorse(severity)).length;
    const newestMs = list.reduce((newest, { receivedMs }) => Math.max(newest, receivedMs), 0);
    return { projectId, errors, others: list.length - errors, day: isoTime(newestMs).slice(0, 10) };
  });
  const grants = new Map(
    (await addGroupNumbers(transaction, wanted)).map((grant) => [grant.projectId, grant]),
  );
  const granted: NewGroup[] = [];
  const folded: Print[] = [];
  for (const [projectId, list] of byProject) {
    const { errors, others, lastNumber }: Grant = grants.get(projectId) ?? {
      projectId,
      errors: 0,
      others: 0,
      lastNumber: 0,
    };
    const left = { errors, others };
    let number = lastNumber - errors - others;
    for (const print of list) {
      const kind = isErrorOrWorse(print.severity) ? 'errors' : 'others';
      if (left[kind]-- > 0) granted.push({ id: newUuid(print.receivedMs), number: ++number, print });
      else folded.push(print);
    }
  }
  return { granted, folded };
}
