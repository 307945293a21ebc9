import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { Quota } from '../api-keys/quota.ts';
import { requireProject } from '../projects/require-project.ts';
import { sessionOf } from '../session.ts';
import { changeKeyQuota, changeProjectQuota } from './change-quota.ts';
import { describeQuotas } from './describe-quotas.ts';
import { ProjectQuotas, QuotaPatch } from './schema.ts';

const ById = Type.Object({ id: IdText });
const EFFECT = 'Applies within 5 seconds, to the windows in progress as well. For OWNERs.';

export const quotaRoutes = [
  routesOf<Store>('Projects').get('/projects/:id/quotas', {
    summary: 'Read the quotas of a project and its keys',
    description: 'With what the past suggests, and the limits that are exceeded now.',
    params: ById,
    answer: ProjectQuotas,
    handle: async (request, { pool, clock }) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      return describeQuotas(pool, organizationId, project.id, confirmedTime(clock));
    },
  }),

  routesOf<Store>('Projects').patch('/projects/:id/quotas', {
    summary: 'Change the quota of a project',
    description: EFFECT,
    params: ById,
    body: QuotaPatch,
    answer: Quota,
    handle: (request, store) =>
      changeProjectQuota(store, sessionOf(request), request.params.id, request.body),
  }),

  routesOf<Store>('API keys').patch('/api-keys/:id/quota', {
    summary: 'Change the quota of a key',
    description: EFFECT,
    params: ById,
    body: QuotaPatch,
    answer: Quota,
    handle: (request, store) => changeKeyQuota(store, sessionOf(request), request.params.id, request.body),
  }),
];
