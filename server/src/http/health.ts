import { Type } from 'typebox';
import { type Pool } from '../database/database.ts';
import { cacheFor } from '../platform/cached.ts';
import { waitAtMost } from '../platform/timing/wait-at-most.ts';
import { unavailable } from '../platform/unavailable.ts';
import type { HttpApp } from './http-app.ts';
import { createReadiness } from './readiness.ts';

interface HealthOptions {
  /** Returns a public sentence about a known obstacle, without asking the database. */
  findObstacle: () => string | null;
  /** Counts failing targets of notifications, which the answer reports; they do not affect readiness. */
  countFailingTargets: (pool: Pool) => Promise<number>;
  servesMetrics: boolean;
  /** Returns since when requests are kept on disk as the database is lost; null: they are not. */
  findSpoolingSince?: () => Date | null;
}

const Ok = Type.Object({ status: Type.Literal('ok') });
const Ready = Type.Object({
  ...Ok.properties,
  failingTargets: Type.Optional(
    Type.Integer({
      description: 'Targets of notifications that fail, where some do. The service is ready.',
    }),
  ),
  synchronousStandbys: Type.Optional(
    Type.Integer({
      description: 'Standbys that commits wait for or may wait for, where they do and the role may see it.',
    }),
  ),
  spoolingSince: Type.Optional(
    Type.String({
      description:
        'Time since which the database is lost, in ISO 8601. What clients would not send again is kept on disk.',
    }),
  ),
  reason: Type.Optional(
    Type.String({ description: 'Sentence that says why nothing else is accepted, beside `spoolingSince`.' }),
  ),
});

/** Maximum age of the count. */
const COUNT_AGE_MS = 5_000;
/** Maximum wait of the answer for the count, which is left out afterwards. */
const COUNT_TIMEOUT_MS = 500;

/**
 * `/livez` (the process is up), `/readyz` (the database answers, is migrated and accepts writes) and, if this port
 * serves them, `/metrics`.
 */
export function registerHealthRoutes(
  app: HttpApp,
  pool: Pool,
  metrics: { toText: () => Promise<string>; contentType: string },
  { findObstacle, countFailingTargets, servesMetrics, findSpoolingSince = () => null }: HealthOptions,
): void {
  app.get(
    '/livez',
    {
      schema: {
        tags: ['Health'],
        summary: 'Is the process up?',
        description: 'Asks nothing of the database: restart the process where this fails.',
        security: [],
        response: { 200: Ok },
      },
    },
    () => ({
      status: 'ok' as const,
    }),
  );

  const findReadiness = createReadiness(pool);
  const count = cacheFor(COUNT_AGE_MS, () => countFailingTargets(pool));
  app.get(
    '/readyz',
    {
      schema: {
        tags: ['Health'],
        summary: 'Can the service take requests?',
        description:
          '200 while the database answers, has all migrations and accepts writes; else 503 with the reason. For load balancers.',
        security: [],
        response: { 200: Ready },
      },
    },
    async () => {
      const obstacle = findObstacle();
      const { reason, synchronousStandbys } = obstacle
        ? { reason: obstacle, synchronousStandbys: null }
        : await findReadiness();
      const spoolingSince = findSpoolingSince();
      if (reason && spoolingSince)
        return { status: 'ok' as const, spoolingSince: spoolingSince.toISOString(), reason };
      if (reason) throw unavailable(reason, { retryAfterSeconds: 1 });
      const failingTargets = await waitAtMost(
        COUNT_TIMEOUT_MS,
        count().catch(() => 0),
        0,
      );
      return {
        status: 'ok' as const,
        ...(failingTargets > 0 && { failingTargets }),
        ...(synchronousStandbys !== null && { synchronousStandbys }),
      };
    },
  );

  if (!servesMetrics) return;
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.toText()),
  );
}
