import { Type } from 'typebox';
import type { HttpApp } from '../../http/app.ts';
import { pageOf, pageSize, readCursor } from '../../http/pages.ts';
import { IdText } from '../../http/schemas.ts';
import { WHOLE_LIST, WholeListQuery } from '../../http/whole-list.ts';
import type { Log } from '../../platform/log.ts';
import { sessionOf } from '../session.ts';
import { changeProject } from './change-project.ts';
import { checkLedger } from './check-ledger.ts';
import { createProject, type ProjectDependencies } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { findLedger, listProjectPage } from './queries.ts';
import { requireProject } from './require-project.ts';
import { CreatedProject, Ledger, NewProject, Project, ProjectPatch, toProject } from './schema.ts';

const tags = ['Projects'];
const ById = Type.Object({ id: IdText });

export function registerProjectRoutes(
  app: HttpApp,
  dependencies: ProjectDependencies & { log: Log; publicUrl: URL | null },
): void {
  const { pool, log, publicUrl } = dependencies;
  /** @param projectId null: of all projects */
  const readLedger = async (organizationId: string, projectId: string | null) => {
    const ledger = await findLedger(pool, organizationId, projectId);
    checkLedger(log, ledger, { organizationId, projectId });
    return ledger;
  };
  app.get(
    '/projects',
    {
      schema: {
        tags,
        summary: 'List the projects',
        description: 'Newest first; where there is a next page, it is in the `Link` header.',
        querystring: WholeListQuery,
        response: { 200: Type.Array(Project) },
      },
    },
    async (request, reply) => {
      const limit = pageSize(request.query.limit ?? WHOLE_LIST);
      const cursor = readCursor(request.query.cursor);
      const rows = await listProjectPage(pool, sessionOf(request).organizationId, { cursor, limit });
      return pageOf(request, reply, rows.map(toProject), { limit, publicUrl });
    },
  );

  app.post(
    '/projects',
    {
      schema: {
        tags,
        summary: 'Create a project',
        description: 'One API key is made with it; its raw value is in `apiKey`, this once.',
        body: NewProject,
        response: { 201: CreatedProject },
      },
    },
    async (request, reply) => {
      const { name, environment = 'production' } = request.body;
      const { project, rawKey } = await createProject(dependencies, sessionOf(request), {
        name,
        environment,
      });
      return reply.code(201).send({ ...toProject(project), apiKey: rawKey });
    },
  );

  app.get(
    '/projects/:id',
    { schema: { tags, summary: 'Read a project', params: ById, response: { 200: Project } } },
    async (request) =>
      toProject(await requireProject(pool, sessionOf(request).organizationId, request.params.id)),
  );

  app.patch(
    '/projects/:id',
    {
      schema: {
        tags,
        summary: 'Change name or environment',
        params: ById,
        body: ProjectPatch,
        response: { 200: Project },
      },
    },
    async (request) =>
      toProject(await changeProject(dependencies, sessionOf(request), request.params.id, request.body)),
  );

  app.delete(
    '/projects/:id',
    {
      schema: {
        tags,
        summary: 'Delete a project',
        description: 'With all its events, incidents and keys, for good.',
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteProject(dependencies, sessionOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/projects/:id/ledger',
    {
      schema: {
        tags,
        summary: 'What became of everything that was accepted',
        description: '`accepted` = `stored` + `queued` + `duplicate` + `dead` + `dropped`, at every moment.',
        params: ById,
        response: { 200: Ledger },
      },
    },
    async (request) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      return readLedger(organizationId, project.id);
    },
  );

  app.get(
    '/organizations/ledger',
    {
      schema: {
        tags: ['Organizations'],
        summary: 'What became of everything that all projects were sent',
        description: 'The sum of the ledgers of its projects; those of deleted ones are not in it.',
        response: { 200: Ledger },
      },
    },
    (request) => readLedger(sessionOf(request).organizationId, null),
  );
}
