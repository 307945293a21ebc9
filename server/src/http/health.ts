import { Type } from 'typebox';
import { type Pool } from '../database/database.ts';
import { unavailable } from '../platform/unavailable.ts';
import type { HttpApp } from './app.ts';
import { createReadiness } from './readiness.ts';

/**
 * `/livez` (the process is up), `/readyz` (the database answers, is migrated and takes writes) and, where this port serves them,
 * `/metrics`.
 * @param findObstacle a public sentence about what is known to be in the way without asking the database
 */
export function registerHealthRoutes(
  app: HttpApp,
  pool: Pool,
  metrics: { toText: () => Promise<string>; contentType: string },
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
      if (reason) throw unavailable(reason, { retryAfterSeconds: 1 });
      return { status: 'ok' as const };
    },
  );

  if (!servesMetrics) return;
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.toText()),
  );
}
