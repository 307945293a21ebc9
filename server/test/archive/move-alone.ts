import { randomUUID } from 'node:crypto';
import { createPool } from '../../src/database/database.ts';
import { openArchive } from '../../src/events/archive/open-archive.ts';
import { createArchiveMetrics } from '../../src/maintenance/archive/metrics.ts';
import { Mover } from '../../src/maintenance/archive/mover.ts';
import { createLog } from '../../src/platform/log.ts';

/*
 * A mover in a process of its own, which a test kills: `move-alone.ts DATABASE_URL ARCHIVE_URL NOW_MS`. It prints a line before each
 * step, and ends when nothing is left.
 */
const [connectionString = '', archiveUrl = '', nowMs = ''] = process.argv.slice(2);
const pool = createPool({
  connection: { connectionString },
  applicationName: 'tocsin-archive',
  maxConnections: 3,
  statementTimeoutMs: 0,
  onError: () => {},
});
const archive = await openArchive(archiveUrl);
const mover = new Mover({
  pool,
  unlimitedPool: pool,
  archive,
  processId: randomUUID(),
  log: createLog('silent'),
  metrics: createArchiveMetrics([]),
  blockRows: 100,
});
for (let idle = 0; idle < 2; ) {
  process.stdout.write('step\n');
  idle = (await mover.runOnce(Number(nowMs))) === 'idle' ? idle + 1 : 0;
}
await archive.close();
await pool.end();
