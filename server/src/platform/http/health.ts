import { Type } from 'typebox';
import { type Pool } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { findSchemaState } from '../migrate.ts';
import type { HttpApp } from './app.ts';

/**
 * `/livez` (the process is up), `/readyz` (the database answers and is migrated) and `/metrics`.
 * @param findObstacle a public sentence about what is known to be in the way without asking the database
 */
export function registerHealthRoutes(
  app: HttpApp,
  pool: Pool,
  metrics: Metrics,
  findObstacle: () => string | null,
): void {
  const Ok = Type.Object({ status: Type.Literal('ok') });
  app.get(
    '/livez',
    { schema: { tags: ['Health'], summary: 'Is the process up?', security: [], response: { 200: Ok } } },
    () => ({
      status: 'ok' as const,
    }),
  );

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
      const reason = findObstacle() ?? (await findUnreadiness(pool));
      if (reason) throw new ApiError('unavailable', reason, { retryAfterSeconds: 1 });
      return { status: 'ok' as const };
    },
  );

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    const text = `${await metrics.registry.metrics()}${metrics.requests.toText()}`;
    return reply.type(metrics.registry.contentType).send(text);
  });
}

async function findUnreadiness(pool: Pool): Promise<string | null> {
  try {
    const { pending } = await findSchemaState(pool);
    return pending.length > 0 ? `Migrations are not applied yet: ${pending.join(', ')}.` : null;
  } catch (error) {
    if (error instanceof Error && error.name === 'MigrationError') return error.message;
    return 'The database does not answer.';
  }
}
