import { Type } from 'typebox';
import type { Store } from '../database/database.ts';
import { foldEnvironment } from '../environments/fold-environment.ts';
import type { HttpApp } from '../http/http-app.ts';
import { linkNextPage, pageOf, pageSize, readCursor } from '../http/pages.ts';
import { routesOf } from '../http/route.ts';
import { IdText } from '../http/schemas.ts';
import { ApiError } from '../platform/errors.ts';
import { toUuid } from '../platform/ids.ts';
import { parseIsoTime } from '../platform/time.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { sessionOf } from '../tenancy/session.ts';
import { readReleaseCursor, toReleaseCursor } from './cursor.ts';
import { listDeploys, listReleases } from './queries.ts';
import { readDeploy } from './read-deploy.ts';
import { recordDeploy } from './record-deploy.ts';
import { Deploy, DeployBody, DeployQuery, Release, ReleaseQuery, toDeploy, toRelease } from './schema.ts';

const ById = Type.Object({ id: IdText });

const TAG = 'Releases';
const route = routesOf<Store & { publicUrl: URL | null }>(TAG);

export const releaseRoutes = [
  route.get('/releases', {
    summary: 'List the releases that events and deploys name',
    description:
      'Releases seen last come first, or in the order of `sort`; the next page is in the `Link` header.',
    querystring: ReleaseQuery,
    answer: Type.Array(Release),
    handle: async (request, { pool, publicUrl }, reply) => {
      const { project_id: id, from, to, sort = 'last_seen', limit: wanted = 50, cursor } = request.query;
      const projectId = id === undefined ? null : toUuid('proj', id);
      const after = readReleaseCursor(cursor);
      if (id !== undefined && projectId === null) return [];
      const limit = pageSize(wanted);
      const { organizationId } = sessionOf(request);
      const rows = await listReleases(pool, organizationId, {
        projectId,
        deployedAfter: toDate(from),
        deployedBefore: toDate(to),
        sort,
        after,
        limit,
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      if (last && rows.length > limit) linkNextPage(request, reply, toReleaseCursor(last), publicUrl);
      return page.map((row) => toRelease(row));
    },
  }),

  route.get('/projects/:id/deploys', {
    summary: 'List the deploys of a project',
    description: 'Newest first; the next page is in the `Link` header.',
    params: ById,
    querystring: DeployQuery,
    answer: Type.Array(Deploy),
    handle: async (request, { pool, publicUrl }, reply) => {
      const { release = null, environment = null, from, to, limit: wanted = 50, cursor } = request.query;
      refuseNul({ release, environment });
      const { organizationId } = sessionOf(request);
      const limit = pageSize(wanted);
      const project = await requireProject(pool, organizationId, request.params.id);
      const rows = await listDeploys(pool, organizationId, {
        projectId: project.id,
        release,
        environment: foldEnvironment(environment ?? '') ?? null,
        after: toDate(from),
        before: toDate(to),
        cursor: readCursor(cursor),
        limit,
      });
      const page = pageOf(request, reply, rows.map(toDeploy), { limit, publicUrl });
      return page;
    },
  }),
  registerDeployRoute,
];

/** By hand, since it has two statuses. */
function registerDeployRoute(app: HttpApp, dependencies: Store): void {
  app.post(
    '/projects/:id/deploys',
    {
      config: { scopes: ['write', 'releases'] },
      schema: {
        tags: [TAG],
        summary: 'Record a deploy',
        description:
          'A deploy is one of a release to an environment: where it is known, the answer is 200 with the first one. Applications use `POST /ingest/deploys`.',
        params: ById,
        body: DeployBody,
        response: { 200: Deploy, 201: Deploy },
      },
    },
    async (request, reply) => {
      const reported = readDeploy(request.body, dependencies.clock.now());
      const { deploy, isNew } = await recordDeploy(
        dependencies,
        sessionOf(request),
        request.params.id,
        reported,
      );
      return reply.code(isNew ? 201 : 200).send(toDeploy(deploy));
    },
  );
}

/** @throws ApiError `validation_failed`: no stored text contains such a character */
function refuseNul(texts: Record<string, string | null>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (!text?.includes('\0')) continue;
    const message = 'must not hold a NUL character';
    throw new ApiError('validation_failed', `query/${name} ${message}.`, {
      fields: [{ pointer: `/${name}`, message }],
    });
  }
}

function toDate(text: string | undefined): Date | null {
  const timeMs = text === undefined ? null : parseIsoTime(text);
  return timeMs === null ? null : new Date(timeMs);
}
