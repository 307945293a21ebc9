import { Type } from 'typebox';
import { pageOf, readPage } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { IdText, WHOLE_LIST, WholeListQuery } from '../../http/schemas.ts';
import type { Log } from '../../platform/log.ts';
import { type IngestUrlOf, toDsn } from '../dsn.ts';
import { sessionOf } from '../session.ts';
import { changeProject } from './change-project.ts';
import { checkLedger } from './check-ledger.ts';
import { createProject, type ProjectDependencies } from './create-project.ts';
import { deleteProject } from './delete-project.ts';
import { findLedger, listProjectPage } from './queries.ts';
import { requireProject } from './require-project.ts';
import { CreatedProject, Ledger, NewProject, Project, ProjectPatch, toProject } from './schema.ts';

const ById = Type.Object({ id: IdText });

interface ProjectRouteDependencies extends ProjectDependencies {
  log: Log;
  publicUrl: URL | null;
  ingestUrlOf: IngestUrlOf;
  /** Days for which the installation keeps events. */
  retentionDays: number;
}

const route = routesOf<ProjectRouteDependencies>('Projects');
const ofOrganizations = routesOf<ProjectRouteDependencies>('Organizations');

export const projectRoutes = [
  route.get('/projects', {
    summary: 'List the projects',
    description: 'Newest first; where there is a next page, it is in the `Link` header.',
    querystring: WholeListQuery,
    answer: Type.Array(Project),
    handle: async (request, { pool, publicUrl }, reply) => {
      const page = readPage(request.query, { usual: WHOLE_LIST });
      const rows = await listProjectPage(pool, sessionOf(request).organizationId, page);
      return pageOf(request, reply, rows.map(toProject), { ...page, publicUrl });
    },
  }),

  route.post('/projects', {
    summary: 'Create a project',
    description:
      'One API key is made with it; its raw value is in `apiKey`, and with the address of ingestion in `dsn`, both shown only once.',
    body: NewProject,
    answer: CreatedProject,
    status: 201,
    handle: async (request, dependencies) => {
      const { name, environment = 'production' } = request.body;
      const { project, rawKey } = await createProject(dependencies, sessionOf(request), {
        name,
        environment,
      });
      const dsn = toDsn(dependencies.ingestUrlOf(request), rawKey, project.number);
      return { ...toProject(project), apiKey: rawKey, dsn };
    },
  }),

  route.get('/projects/:id', {
    summary: 'Read a project',
    description: 'With its settings. Its keys are listed by `GET /projects/:projectId/api-keys`.',
    params: ById,
    answer: Project,
    handle: async (request, { pool }) =>
      toProject(await requireProject(pool, sessionOf(request).organizationId, request.params.id)),
  }),

  route.patch('/projects/:id', {
    summary: 'Change name, environment, scrubbing, retention or samples',
    description:
      '`scrubbing` applies to events that are sent from 5 seconds after the answer on. By `retention`, events that are too old are removed from the next minute on; `sampleAbove` applies to those that are stored after the answer. Both are for OWNERs; a token needs the scope `admin` besides.',
    params: ById,
    body: ProjectPatch,
    answer: Project,
    handle: async (request, dependencies) =>
      toProject(await changeProject(dependencies, sessionOf(request), request.params.id, request.body)),
  }),

  route.delete('/projects/:id', {
    summary: 'Delete a project',
    description: 'Deletes its events, incidents and keys as well, permanently.',
    params: ById,
    handle: async (request, dependencies) => {
      await deleteProject(dependencies, sessionOf(request), request.params.id);
    },
  }),

  route.get('/projects/:id/ledger', {
    summary: 'Account of all accepted events',
    description:
      '`accepted` = `stored` + `queued` + `duplicate` + `dead` + `dropped` + `sampled` + `erased` + `expired`, at every moment.',
    params: ById,
    answer: Ledger,
    handle: async (request, dependencies) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(dependencies.pool, organizationId, request.params.id);
      return readLedger(dependencies, organizationId, project.id);
    },
  }),

  ofOrganizations.get('/organizations/ledger', {
    summary: 'Account of the events of all projects',
    description: 'The sum of the ledgers of its projects; those of deleted ones are not in it.',
    answer: Ledger,
    handle: (request, dependencies) => readLedger(dependencies, sessionOf(request).organizationId, null),
  }),
];

async function readLedger(
  { pool, log }: ProjectRouteDependencies,
  organizationId: string,
  projectId: string | null,
) {
  const ledger = await findLedger(pool, organizationId, projectId);
  checkLedger(log, ledger, { organizationId, projectId });
  return ledger;
}
