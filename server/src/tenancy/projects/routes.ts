import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { HttpApp } from '../../http/app.ts';
import { IdText } from '../../http/schemas.ts';
import { sessionOf } from '../accounts/sessions.ts';
import { changeProject, removeProject } from './change-project.ts';
import { createProject } from './create-project.ts';
import { findLedger, listProjects } from './queries.ts';
import { requireProject } from './require-project.ts';
import { CreatedProject, Ledger, NewProject, Project, ProjectPatch, toProject } from './schema.ts';

const tags = ['Projects'];
const ById = Type.Object({ id: IdText });

export function registerProjectRoutes(app: HttpApp, store: Store): void {
  const { pool } = store;
  app.get(
    '/projects',
    { schema: { tags, summary: 'List the projects', response: { 200: Type.Array(Project) } } },
    async (request) => (await listProjects(pool, sessionOf(request).organizationId)).map(toProject),
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
      const { project, rawKey } = await createProject(store, sessionOf(request), { name, environment });
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
      toProject(await changeProject(store, sessionOf(request), request.params.id, request.body)),
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
      await removeProject(store, sessionOf(request), request.params.id);
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
      return findLedger(pool, organizationId, project.id);
    },
  );
}
