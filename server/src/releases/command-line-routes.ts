import { Type } from 'typebox';
import { inTransaction, type Store } from '../database/database.ts';
import { routesOf } from '../http/route.ts';
import { IdText, Nullable } from '../http/schemas.ts';
import { ApiError } from '../platform/errors.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { shareProject } from '../tenancy/projects/lock-queries.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { type Session, sessionOf } from '../tenancy/session.ts';
import { MAX_RELEASE_LENGTH } from './limits.ts';
import { listProjectsOfRelease, upsertNamedRelease } from './queries.ts';
import { readDeploy } from './read-deploy.ts';
import { recordDeploy } from './record-deploy.ts';
import { requireOrganization } from './require-organization.ts';
import type { DeployRow } from './schema.ts';

/** Maximum projects of one release. */
const MAX_PROJECTS = 100;

const config = { scopes: ['write', 'releases'] as const };
const OfOrganization = Type.Object({ organization: IdText });
// No stored text contains NUL, which an address may.
const Version = Type.String({ pattern: `^[^\\0]{1,${MAX_RELEASE_LENGTH}}$` });
const OfRelease = Type.Object({ organization: IdText, version: Version });

const Projects = Type.Array(IdText, { maxItems: MAX_PROJECTS });
const NewRelease = Type.Object({
  version: Version,
  projects: Projects,
});
const ReleaseAnswer = Type.Object({
  version: Type.String(),
  dateCreated: Type.String(),
  dateReleased: Nullable(Type.String()),
  newGroups: Type.Integer(),
});
const NewDeploy = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 64, pattern: '\\S' }),
  name: Type.Optional(Nullable(Type.String())),
});
const DeployAnswer = Type.Object({
  id: Type.String(),
  environment: Type.String(),
  name: Nullable(Type.String()),
  dateFinished: Type.String(),
});

const route = routesOf<Store>('Sentry’s command line');

/** Endpoints for the command line of Sentry, `sentry-cli`, which a pipeline calls with an access token. */
export const commandLineRoutes = [
  route.get('/api/0/', {
    summary: 'Say whose token it is',
    description: '`sentry-cli info` asks this: the user and the scopes of the token.',
    config: { scopes: ['read', 'write', 'releases'] },
    answer: Type.Object({
      version: Type.String(),
      user: Type.Object({ id: Type.String(), email: Type.String() }),
      auth: Type.Object({ scopes: Type.Array(Type.String()) }),
    }),
    handle: (request) => {
      const { user, scopes } = sessionOf(request);
      return {
        version: '0',
        user: { id: toId('usr', user.id), email: user.email },
        auth: { scopes: [...(scopes ?? [])] },
      };
    },
  }),

  ...releaseRoutes('/api/0/organizations/:organization/releases/'),
  // sentry-cli 2 also puts a single project into the path.
  ...releaseRoutes('/api/0/projects/:organization/:project/releases/', { hide: true }),

  route.post('/api/0/organizations/:organization/releases/:version/deploys/', {
    summary: 'Record a deploy of a release',
    description:
      'In each project that knows the release; a repeat by release and environment is the first one.',
    config,
    params: OfRelease,
    body: NewDeploy,
    answer: DeployAnswer,
    status: 201,
    handle: async (request, store) => {
      const session = requireOrganization(sessionOf(request), request.params.organization);
      const { environment, name = null } = request.body;
      const reported = readDeploy({ release: request.params.version, environment }, store.clock.now());
      const projects = await listProjectsOfRelease(store.pool, session.organizationId, reported.release);
      let answer: DeployRow | null = null;
      for (const projectId of projects) {
        const { deploy } = await recordDeploy(store, session, toId('proj', projectId), reported);
        answer ??= deploy;
      }
      if (answer === null)
        throw new ApiError(
          'not_found',
          `No project knows the release ${reported.release}. Name it first: sentry-cli releases new ${reported.release} --project proj_….`,
        );
      return {
        id: toId('dpl', answer.id),
        environment: answer.environment,
        name,
        dateFinished: isoTime(answer.deployedAt),
      };
    },
  }),

  route.get('/api/0/organizations/:organization/repos/', {
    summary: 'List no repositories',
    description: 'The command line reads the commits from the local repository then.',
    config,
    params: OfOrganization,
    answer: Type.Array(Type.Object({})),
    handle: () => [],
  }),

  route.get('/api/0/organizations/:organization/releases/:version/previous-with-commits/', {
    summary: 'Name no release with commits',
    description: 'Answers `{}`: the command line then takes the commits that it is given.',
    config,
    params: OfRelease,
    answer: Type.Object({}),
    handle: () => ({}),
  }),
];

/** Returns the endpoints that name a release, at an address of releases. */
function releaseRoutes(releases: string, shown: { hide?: true } = {}) {
  return [
    route.post(releases, {
      ...shown,
      summary: 'Name a release for projects',
      description:
        'A deploy of it, which names no project, is one of these. The release is listed from its deploy or its first event on.',
      config,
      params: OfOrganization,
      body: NewRelease,
      answer: ReleaseAnswer,
      status: 201,
      handle: async (request, store) => {
        const session = requireOrganization(sessionOf(request), request.params.organization);
        const { version, projects } = request.body;
        await nameRelease(store, session, version, projects);
        return describeRelease(version, store.clock.now());
      },
    }),

    route.put(`${releases}:version/`, {
      ...shown,
      summary: 'Finalize a release',
      description: 'Commits are not kept.',
      config,
      params: OfRelease,
      body: Type.Object({ projects: Type.Optional(Projects) }),
      answer: ReleaseAnswer,
      handle: async (request, store) => {
        const session = requireOrganization(sessionOf(request), request.params.organization);
        const { version } = request.params;
        await nameRelease(store, session, version, request.body.projects ?? []);
        return describeRelease(version, store.clock.now());
      },
    }),
  ];
}

/** @throws ApiError `not_found` */
async function nameRelease(
  store: Store,
  session: Session,
  version: string,
  projects: string[],
): Promise<void> {
  for (const id of projects)
    await inTransaction(store, async (transaction) => {
      const project = await requireProject(transaction, session.organizationId, id, shareProject);
      await upsertNamedRelease(transaction, project.id, version, new Date(transaction.now()));
    });
}

function describeRelease(version: string, nowMs: number) {
  return { version, dateCreated: isoTime(nowMs), dateReleased: null, newGroups: 0 };
}
