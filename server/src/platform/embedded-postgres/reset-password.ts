import { once } from 'node:events';
import { SUPERUSER } from './connection-file.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { LastLines, readLines } from './log-lines.ts';
import type { Identity } from './run-as.ts';
import { runOnCluster } from './run-binary.ts';

/**
 * Sets the password of a cluster whose connection file was lost, say because only the cluster was restored
 * from a backup. Whoever can write to the cluster may do that: it takes no password in single-user mode.
 */
export async function resetPassword(
  postgres: string,
  identity: Identity,
  cluster: string,
  password: string,
): Promise<void> {
  const args = (name: string) => ['--single', '-D', name, '-c', 'log_min_error_statement=panic', 'postgres'];
  const child = await runOnCluster({ program: postgres, identity, cluster, args, stdin: 'pipe' });
  const output = new LastLines();
  readLines(child.stdout, () => {});
  readLines(child.stderr, (line) => output.add(line));
  child.stdin?.on('error', () => {});
  child.stdin?.end(`ALTER ROLE ${SUPERUSER} PASSWORD '${password}'\n`);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    throw new EmbeddedPostgresError(
      'start_failed',
      `The database's password could not be set anew:\n${output.toString()}`,
    );
  }
}
