import { Type } from 'typebox';
import { type Pool } from '../database/database.ts';
import { cacheFor } from '../platform/cached.ts';
import { unavailable } from '../platform/unavailable.ts';
import type { HttpApp } from './http-app.ts';
import { createReadiness } from './readiness.ts';

interface HealthOptions {
  /** A public sentence about what is known to be in the way without asking the database. */
  findObstacle: () => string | null;
  /** Targets of notifications that fail, which the answer says; they make nothing unready. */
  countFailingTargets: (pool: Pool) => Promise<number>;
  servesMetrics: boolean;
}

/** How old the count may be. */
const COUNT_AGE_MS = 5_000;
/** The answer does not wait longer for the count, and leaves it out. */
const COUNT_TIMEOUT_MS = 500;

/**
 * `/livez` (the process is up), `/readyz` (the database answers, is migrated and takes writes) and, where this port serves them,
 * `/metrics`.
 */
export function registerHealthRoutes(
  app: HttpApp,
  pool: Pool,
  metrics: { toText: () => Promise<string>; contentType: string },
  { findObstacle, countFailingTargets, servesMetrics }: HealthOptions,
): void {
  const Ok = Type.Object({ status: Type.Literal('ok') });
  app.get(
    '/livez',
    { schema: { tags: ['Health'], summary: 'Is the process up?', security: [], response: { 200: Ok } } },
    () => ({
      status: 'ok' as const,
    }),
  );

  const Ready = Type.Object({
    ...Ok.properties,
    failingTargets: Type.Optional(
      Type.Integer({
        description: 'Targets of notifications that fail, where some do. The service is ready.',
      }),
    ),
  });
  const findReason = createReadiness(pool);
  const count = cacheFor(COUNT_AGE_MS, () => countFailingTargets(pool));
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['Health'],
        summary: 'Can the service take requests?',
        security: [],
        response: { 200: Ready },
      },
    },
    async () => {
      const reason = findObstacle() ?? (await findReason());
      if (reason) throw unavailable(reason, { retryAfterSeconds: 1 });
      const failingTargets = await withinLimit(count());
      return { status: 'ok' as const, ...(failingTargets > 0 && { failingTargets }) };
    },
  );

  if (!servesMetrics) return;
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.toText()),
  );
}

/** The count; 0 where it fails, or takes too long. */
async function withinLimit(counting: Promise<number>): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(0), COUNT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([counting.catch(() => 0), limit]);
  } finally {
    clearTimeout(timer);
  }
}
