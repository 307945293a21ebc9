import { type Static, Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import { pageOf, readPage } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { isoTime, parseIsoTime } from '../../platform/time.ts';
import { requireProject } from '../../tenancy/projects/require-project.ts';
import { type Session, sessionOf } from '../../tenancy/session.ts';
import { DEAD_LETTER_ERRORS } from './errors.ts';
import { type DeadLetterFilter, type DeadLetterRow, findDeadLetter, listDeadLetters } from './queries.ts';
import {
  DeadLetter,
  DeadLetterDetail,
  Filter,
  ListQuery,
  TakenLetters,
  toDeadLetter,
  toDetail,
} from './schema.ts';
import { discardDeadLetters, replayDeadLetters, type TakenCounts } from './take.ts';

interface DeadLetterRouteDependencies extends Store {
  publicUrl: URL | null;
}

const ById = Type.Object({ id: IdText });
const ByJob = Type.Object({ id: IdText, jobId: IdText });

const route = routesOf<DeadLetterRouteDependencies>('Dead letters');

export const deadLetterRoutes = [
  route.get('/projects/:id/dead-letters', {
    summary: 'List the dead letters of a project',
    description: 'Events that were accepted and could not be stored. Newest first.',
    params: ById,
    querystring: ListQuery,
    answer: Type.Array(DeadLetter),
    handle: async (request, { pool, publicUrl }, reply) => {
      const project = await requireProject(pool, sessionOf(request).organizationId, request.params.id);
      const page = readPage(request.query);
      const sqlState = request.query.sql_state ?? null;
      const rows = await listDeadLetters(pool, project.id, { ...page, sqlState });
      return pageOf(request, reply, rows.map(toDeadLetter), { ...page, publicUrl });
    },
  }),

  route.get('/projects/:id/dead-letters/:jobId', {
    summary: 'Read a dead letter',
    description: 'With the event as it was queued, and the reason for which it could not be stored.',
    params: ByJob,
    answer: DeadLetterDetail,
    handle: async (request, dependencies) =>
      toDetail(await requireLetter(dependencies, sessionOf(request), request.params)),
  }),

  route.post('/projects/:id/dead-letters/:jobId/replay', {
    summary: 'Store a dead letter after all',
    description:
      'Queues it again, with its id. If it is refused again, it is a dead letter with the new reason. Detection does not evaluate it.',
    params: ByJob,
    handle: async (request, dependencies) => {
      const session = sessionOf(request);
      const { id, kind } = await requireLetter(dependencies, session, request.params);
      if (kind === 'unreadable')
        throw new ApiError(DEAD_LETTER_ERRORS.unreadable_dead_letter, 'It is no event of this project.');
      await assertTaken(replayDeadLetters(dependencies, session, request.params.id, only(id)));
    },
  }),

  route.post('/projects/:id/dead-letters/replay', {
    summary: 'Store dead letters after all',
    description:
      'At most 500 and 2 MiB a request, the oldest first, without unreadable ones. Repeat it while any are left.',
    params: ById,
    querystring: Filter,
    answer: TakenLetters,
    handle: async (request, dependencies) => {
      const filter = toFilter(request.query);
      return toAnswer(await replayDeadLetters(dependencies, sessionOf(request), request.params.id, filter));
    },
  }),

  route.delete('/projects/:id/dead-letters/:jobId', {
    summary: 'Discard a dead letter',
    description: 'Deletes it; the ledger counts it as dropped.',
    params: ByJob,
    handle: async (request, dependencies) => {
      const session = sessionOf(request);
      const { id } = await requireLetter(dependencies, session, request.params);
      await assertTaken(discardDeadLetters(dependencies, session, request.params.id, only(id)));
    },
  }),

  route.delete('/projects/:id/dead-letters', {
    summary: 'Discard dead letters',
    description: 'At most 500 and 2 MiB a request, the oldest first. Repeat it while any are left.',
    params: ById,
    querystring: Filter,
    answer: TakenLetters,
    handle: async (request, dependencies) => {
      const filter = toFilter(request.query);
      return toAnswer(await discardDeadLetters(dependencies, sessionOf(request), request.params.id, filter));
    },
  }),
];

/** @throws ApiError `not_found`: the project, or the dead letter */
async function requireLetter(
  { pool }: Store,
  { organizationId }: Session,
  params: Static<typeof ByJob>,
): Promise<DeadLetterRow & { event: string }> {
  const project = await requireProject(pool, organizationId, params.id);
  const id = toUuid('job', params.jobId);
  const letter = id && (await findDeadLetter(pool, project.id, id));
  if (!letter) throw notFound();
  return letter;
}

/** @throws ApiError `not_found`: another request was faster */
async function assertTaken(taking: Promise<TakenCounts>): Promise<void> {
  if ((await taking).count === 0) throw notFound();
}

function notFound(): ApiError {
  return new ApiError('not_found', 'Dead letter not found.');
}

function only(id: string): DeadLetterFilter {
  return { id, sqlState: null, until: null };
}

function toFilter({ sql_state: sqlState, until }: Static<typeof Filter>): DeadLetterFilter {
  return {
    id: null,
    sqlState: sqlState ?? null,
    until: until === undefined ? null : new Date(parseIsoTime(until) ?? Number.NaN),
  };
}

function toAnswer({ count, left, until }: TakenCounts): Static<typeof TakenLetters> {
  return { count, left, until: isoTime(until) };
}
