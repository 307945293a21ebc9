import { Type } from 'typebox';
import { cacheFor } from '../cached.ts';
import { type Pool } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { findSchemaState } from '../migrate.ts';
import type { HttpApp } from './app.ts';

/** A probe a millisecond costs no more than one a second. */
const MAX_READINESS_AGE_MS = 1_000;

/**
 * `/livez` (the process is up), `/readyz` (the database answers and is migrated) and, where this port serves them,
 * `/metrics`.
 * @param findObstacle a public sentence about what is known to be in the way without asking the database
 */
export function registerHealthRoutes(
  app: HttpApp,
  pool: Pool,
  metrics: Pick<Metrics, 'toText' | 'contentType'>,
  { findObstacle, servesMetrics }: { findObstacle: () => string | null; servesMetrics: boolean },
): void {
  const Ok = Type.Object({ status: Type.Literal('ok') });
  app.get(
    '/livez',
    { schema: { tags: ['Health'], summary: 'Is the process up?', security: [], response: { 200: Ok } } },
    () => ({
      status: 'ok' as const,
    }),
  );

  const findReason = createReadiness(pool);
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['Health'],
        summary: 'Can the service take requests?',
        security: [],
        response: { 200: Ok },
      },
    },
    async () => {
      const reason = findObstacle() ?? (await findReason());
      if (reason) throw new ApiError('unavailable', reason, { retryAfterSeconds: 1 });
      return { status: 'ok' as const };
    },
  );

  if (!servesMetrics) return;
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.toText()),
  );
}

/** Why the service cannot take requests, asked of the database at most once a second; null: it can. */
function createReadiness(pool: Pool): () => Promise<string | null> {
  return cacheFor(MAX_READINESS_AGE_MS, async () => {
    try {
      const { pending } = await findSchemaState(pool);
      return pending.length > 0 ? `Migrations are not applied yet: ${pending.join(', ')}.` : null;
    } catch (error) {
      if (error instanceof Error && error.name === 'MigrationError') return error.message;
      return 'The database does not answer.';
    }
  });
}
