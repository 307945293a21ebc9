import type { Pool } from '../database/database.ts';
import type { Loop } from '../platform/loop.ts';
import type { RoleContext } from './role.ts';

/** The archive of a worker, where one is configured. */
interface ArchivePart {
  loop: Loop;
  /** Ends its connections, once the loop has ended. */
  end(): Promise<void>;
}

/** Opens the archive of a worker, whose modules are loaded by this call alone; nothing is asked of it yet. */
export async function openArchivePart(context: RoleContext, pool: Pool): Promise<ArchivePart | null> {
  const { config } = context;
  if (config.archive === null) return null;
  const { openArchive } = await import('../events/archive/open-archive.ts');
  const { declareArchiveLoop } = await import('../maintenance/archive/archive-loop.ts');
  const { createArchiveMetrics } = await import('../maintenance/archive/metrics.ts');
  const metrics = createArchiveMetrics([context.metrics.registry]);
  const archive = await openArchive(config.archive.url.href, config.archive.cluster);
  const unlimitedPool = context.createPool('tocsin-archive', { statementTimeoutMs: 0, maxConnections: 1 });
  const { retentionDays } = config;
  const loop = context.createLoop(
    declareArchiveLoop({ ...context, metrics, pool, unlimitedPool, archive, retentionDays }),
  );
  return {
    loop,
    async end() {
      await Promise.all([archive.close(), unlimitedPool.end()]);
    },
  };
}
