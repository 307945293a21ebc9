import { inTransaction, type Queryable, type Store, type Transaction } from '../../database/database.ts';
import { updateBudgetDue } from '../../outbox/deferral-queries.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId, toUuid } from '../../platform/ids.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { lockOrganization } from '../../tenancy/organizations/queries.ts';
import { shareProject } from '../../tenancy/projects/lock-queries.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import type { Session } from '../../tenancy/session.ts';
import { assertMayChange, requireTarget } from '../targets/change-target.ts';
import type { TargetRow } from '../targets/target.ts';
import { countRoutes, deleteRoute, findRoute, insertRoute, updateRoute } from './queries.ts';
import type { RouteRow } from './route.ts';
import type { NewRoute, RoutePatch } from './schema.ts';

/** Maximum routes of an organization: each change of an incident evaluates all of them. */
const MAX_ROUTES = 200;
const DEFAULT_CHANGES: RouteRow['changes'] = ['opened', 'worse', 'resolved'];

/** @throws ApiError `not_found`, also for a route of another organization */
export async function requireRoute(
  database: Queryable,
  organizationId: string,
  id: string,
  lock?: 'lock',
): Promise<RouteRow> {
  const routeId = toUuid('nrt', id);
  const route = routeId && (await findRoute(database, organizationId, routeId, lock));
  if (!route) throw new ApiError('not_found', 'Notification route not found.');
  return route;
}

/** @throws ApiError `forbidden`, `not_found` (target or project), `validation_failed`, `limit_reached` */
export async function createRoute(store: Store, session: Session, input: NewRoute): Promise<RouteRow> {
  assertMayChange(session);
  const { organizationId } = session;
  return inTransaction(store, async (transaction) => {
    await lockOrganization(transaction, organizationId);
    if ((await countRoutes(transaction, organizationId)) >= MAX_ROUTES) {
      throw new ApiError(
        'limit_reached',
        `An organization can have up to ${MAX_ROUTES} notification routes.`,
      );
    }
    const now = transaction.now();
    const id = newUuid(now);
    const values = await readNewRoute(transaction, organizationId, input, shareProject);
    await insertRoute(transaction, organizationId, {
      ...values,
      id,
      createdAt: new Date(now),
      madeByToken: session.token,
    });
    const route = await requireRoute(transaction, organizationId, toId('nrt', id));
    await recordChange(transaction, session, {
      action: 'notification_route.created',
      target: ['nrt', id],
      before: null,
      after: shownOf(route),
    });
    return route;
  });
}

/** @throws ApiError `forbidden`, `not_found`, `validation_failed` */
export async function changeRoute(
  store: Store,
  session: Session,
  id: string,
  patch: RoutePatch,
): Promise<RouteRow> {
  assertMayChange(session);
  const { organizationId } = session;
  return inTransaction(store, async (transaction) => {
    const before = await requireRoute(transaction, organizationId, id, 'lock');
    const { fallbackTargetId, projectId, minSeverity, changes, maxPerWeek } = patch;
    await updateRoute(transaction, organizationId, {
      ...before,
      fallbackTargetId:
        fallbackTargetId === undefined
          ? before.fallbackTargetId
          : await readFallback(transaction, organizationId, before.targetId, fallbackTargetId),
      projectId:
        projectId === undefined ? before.projectId : await readProject(transaction, session, projectId),
      minSeverity: minSeverity ?? before.minSeverity,
      changes: changes ?? before.changes,
      maxPerWeek: maxPerWeek === undefined ? before.maxPerWeek : maxPerWeek,
      updatedAt: new Date(transaction.now()),
    });
    const after = await requireRoute(transaction, organizationId, id);
    if (after.maxPerWeek !== before.maxPerWeek) await releaseDeferred(transaction, before);
    await recordChange(transaction, session, {
      action: 'notification_route.changed',
      target: ['nrt', before.id],
      before: shownOf(before),
      after: shownOf(after),
    });
    return after;
  });
}

/** @throws ApiError `forbidden`, `not_found` */
export async function removeRoute(store: Store, session: Session, id: string): Promise<void> {
  assertMayChange(session);
  const routeId = toUuid('nrt', id);
  await inTransaction(store, async (transaction) => {
    const route = routeId && (await deleteRoute(transaction, session.organizationId, routeId));
    if (!route) throw new ApiError('not_found', 'Notification route not found.');
    await releaseDeferred(transaction, route);
    await recordChange(transaction, session, {
      action: 'notification_route.deleted',
      target: ['nrt', route.id],
      before: shownOf(route),
      after: null,
    });
  });
}

/** Re-evaluates the deliveries that wait for a digest: by the new limit, or without one. */
async function releaseDeferred(
  transaction: Transaction,
  { id: routeId, targetId, fallbackTargetId }: RouteRow,
): Promise<void> {
  const targetIds = fallbackTargetId === null ? [targetId] : [targetId, fallbackTargetId];
  await updateBudgetDue(transaction, { targetIds, routeId }, new Date(transaction.now()));
}

/**
 * Validates a new route, and returns it with its target.
 * @throws ApiError `not_found` (target or project), `validation_failed`
 */
export async function readNewRoute(
  database: Queryable,
  organizationId: string,
  input: NewRoute,
  read?: typeof shareProject,
): Promise<
  Omit<RouteRow, 'id' | 'projectName' | 'createdAt' | 'madeByToken' | 'updatedAt'> & { target: TargetRow }
> {
  const target = await requireTarget(database, organizationId, input.targetId);
  const { fallbackTargetId = null, projectId = null } = input;
  return {
    target,
    organizationId,
    targetId: target.id,
    fallbackTargetId: await readFallback(database, organizationId, target.id, fallbackTargetId),
    projectId: projectId && (await requireProject(database, organizationId, projectId, read)).id,
    minSeverity: input.minSeverity ?? 'error',
    changes: input.changes ?? DEFAULT_CHANGES,
    maxPerWeek: input.maxPerWeek ?? null,
  };
}

async function readProject(
  transaction: Transaction,
  { organizationId }: Session,
  id: string | null,
): Promise<string | null> {
  return id === null ? null : (await requireProject(transaction, organizationId, id, shareProject)).id;
}

async function readFallback(
  database: Queryable,
  organizationId: string,
  targetId: string,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null;
  const fallback = await requireTarget(database, organizationId, id);
  if (fallback.id !== targetId) return fallback.id;
  throw invalid('fallbackTargetId', 'has to be another target');
}

function invalid(field: string, message: string): ApiError {
  return new ApiError('validation_failed', `body/${field} ${message}.`, {
    fields: [{ pointer: `/${field}`, message }],
  });
}

function shownOf(route: RouteRow): object {
  const { targetId, fallbackTargetId, projectId, minSeverity, changes, maxPerWeek } = route;
  return {
    targetId: toId('ntg', targetId),
    fallbackTargetId: fallbackTargetId && toId('ntg', fallbackTargetId),
    projectId: projectId && toId('proj', projectId),
    minSeverity,
    changes,
    maxPerWeek,
  };
}
