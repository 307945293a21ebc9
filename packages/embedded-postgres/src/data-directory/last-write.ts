import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Text that changes when a server writes to the cluster: the newest file of its log and when it was written. An idle
 * server may write nothing for minutes.
 */
export async function findLastWrite(cluster: string): Promise<string> {
  const log = join(cluster, 'pg_wal');
  const names = await readdir(log).catch(() => []);
  const writes = await Promise.all(
    names.map(async (name) => {
      const info = await stat(join(log, name)).catch(() => null);
      return { name, writtenAtMs: info?.isFile() ? info.mtimeMs : 0 };
    }),
  );
  const { name, writtenAtMs } = writes.reduce(
    (newest, write) => (write.writtenAtMs > newest.writtenAtMs ? write : newest),
    { name: '', writtenAtMs: 0 },
  );
  return `${name} ${writtenAtMs}`;
}
