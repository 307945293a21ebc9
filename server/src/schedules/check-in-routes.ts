import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { inTransaction, type Store } from '../database/database.ts';
import type { HttpApp } from '../http/http-app.ts';
import { IdText } from '../http/schemas.ts';
import { createCheckInPace } from './check-in-pace.ts';
import type { CheckInMetrics } from './metrics.ts';
import { recordCheckIn } from './record-check-in.ts';
import { toAcceptedCheckIn } from './rows.ts';
import { AcceptedCheckIn, CheckInBody } from './schema.ts';

const Params = Type.Object({ slug: IdText });

interface CheckInDependencies extends Store {
  metrics: CheckInMetrics;
}

/** Check of a request's key. */
interface KeyGuard {
  /** Returns the key's owner; the key may have been revoked since its last lookup. */
  ownerOf: (request: FastifyRequest) => { projectId: string };
  /** @throws ApiError `invalid_api_key` if it is not valid now */
  requireKey: (request: FastifyRequest) => Promise<void>;
}

/** Registers the check-in with the project's API key, which a hook of the scope has read before. */
export function registerCheckInRoute(
  app: HttpApp,
  { metrics, ...store }: CheckInDependencies,
  { ownerOf, requireKey }: KeyGuard,
): void {
  const assertPace = createCheckInPace(store.clock);
  app.post(
    '/ingest/check-ins/:slug',
    {
      schema: {
        tags: ['Check-ins'],
        summary: 'Check in for a schedule',
        description:
          'Answers 200 once the check-in is durable; without a body it is a success. `schedule` declares the schedule with its first check-in.',
        params: Params,
        body: CheckInBody,
        response: { 200: AcceptedCheckIn },
      },
      // Before the body is read, like the check of the key.
      onRequest: (request, _reply, done) => {
        assertPace(`${ownerOf(request).projectId} ${request.params.slug}`);
        done();
      },
    },
    async (request) => {
      await requireKey(request);
      const { projectId } = ownerOf(request);
      const { slug } = request.params;
      const { status = 'ok', schedule: declared = null } = request.body ?? {};
      const schedule = await inTransaction(store, (transaction) =>
        recordCheckIn(transaction, projectId, { slug, status, runId: null, declared }),
      );
      metrics.checkIns.inc({ status });
      return toAcceptedCheckIn(schedule, store.clock.now());
    },
  );
}
