import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { pageOf, pageSize, readCursor } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import { type Scope, sessionOf } from '../../tenancy/session.ts';
import { listCoveringSilences } from './covering-silences.ts';
import { createProjectSilence, createSilence } from './create-silence.ts';
import { endSilence } from './end-silence.ts';
import { listSilences } from './queries.ts';
import { NewProjectSilence, NewSilence, Silence, SilenceQuery, toSilence } from './schema.ts';

const ById = Type.Object({ id: IdText });
/** Pipelines silence what they break, and end the silence again. */
const scopes: readonly Scope[] = ['write', 'silences'];

const route = routesOf<Store & { publicUrl: URL | null }>('Notifications');

export const silenceRoutes = [
  route.get('/silences', {
    summary: 'List silences',
    description: 'Newest first, by default those that are active; the next page is in the `Link` header.',
    querystring: SilenceQuery,
    answer: Type.Array(Silence),
    handle: async (request, { pool, clock, publicUrl }, reply) => {
      const { organizationId } = sessionOf(request);
      const { state = 'active', project_id: project, covers, limit: wanted = 50, cursor } = request.query;
      const limit = pageSize(wanted);
      const nowMs = confirmedTime(clock);
      const ids =
        covers === undefined
          ? null
          : await listCoveringSilences(pool, organizationId, covers, new Date(nowMs));
      const rows = await listSilences(pool, organizationId, {
        state: ids ? 'active' : state,
        projectId: project === undefined ? null : (await requireProject(pool, organizationId, project)).id,
        ids,
        before: readCursor(cursor),
        limit,
        now: new Date(nowMs),
      });
      return pageOf(
        request,
        reply,
        rows.map((row) => toSilence(row, nowMs)),
        { limit, publicUrl },
      );
    },
  }),

  route.post('/silences', {
    config: { scopes },
    summary: 'Silence incidents and groups for a time',
    description:
      'Incidents open and are recorded as always, and nothing is sent. All that is named has to match; without anything everything is silenced. When it ends, each incident that is not resolved is sent once.',
    body: NewSilence,
    answer: Silence,
    status: 201,
    handle: async (request, dependencies) => {
      const silence = await createSilence(dependencies, sessionOf(request), request.body);
      return toSilence(silence, confirmedTime(dependencies.clock));
    },
  }),

  route.post('/projects/:id/silences', {
    config: { scopes },
    summary: 'Silence a project for some minutes',
    description: 'For pipelines: before a deploy or a load test.',
    params: ById,
    body: NewProjectSilence,
    answer: Silence,
    status: 201,
    handle: async (request, dependencies) => {
      const { params, body } = request;
      const silence = await createProjectSilence(dependencies, sessionOf(request), params.id, body);
      return toSilence(silence, confirmedTime(dependencies.clock));
    },
  }),

  route.delete('/silences/:id', {
    config: { scopes },
    summary: 'End a silence now',
    description:
      'The answer says how much it has covered. One that has ended stays as it is. Incidents that are not resolved are sent, each once.',
    params: ById,
    answer: Silence,
    handle: async (request, dependencies) =>
      toSilence(
        await endSilence(dependencies, sessionOf(request), request.params.id),
        confirmedTime(dependencies.clock),
      ),
  }),
];
