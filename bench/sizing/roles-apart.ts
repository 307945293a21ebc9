import { cpuTimeOf, readCpu } from '../support/cpu.ts';
import { connect, databaseUrlOf, readEventBytes, readWal } from '../support/database.ts';
import { createProject, findFreePort, startProgram, startService } from '../support/processes.ts';
import { startFlags } from '../support/start-flags.ts';

/** Sums since the start, and what is there now. */
export interface Reading {
  /** CPU of management and ingestion, in µs. */
  intakeNode: number;
  workerNode: number;
  postgres: number;
  /** CPU of each backend of the workers, in µs, by its process id. */
  backends: Map<number, number>;
  wal: number;
  eventBytes: number;
  /** Rows of the queue, each written by one commit. */
  queueRows: number;
}

/** Starts a service whose workers are processes of their own, which can be stopped and continued: what each costs is apart, too. */
export async function startRolesApart(workerCount = 1) {
  const service = await startService({ roles: ['management', 'ingestion'] });
  const project = await createProject(service.managementUrl);
  const client = await connect(service.dataDirectory);
  const databaseUrl = await databaseUrlOf(service.dataDirectory);
  const workers: Awaited<ReturnType<typeof startWorker>>[] = [];
  while (workers.length < workerCount) workers.push(await startWorker(databaseUrl));
  const read = async (): Promise<Reading> => {
    const { node, postgres } = readCpu(service.child.pid ?? 0, service.dataDirectory);
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tocsin-worker%'",
    );
    const { rows: queue } = await client.query<{ rows: number }>('SELECT count(*)::int AS rows FROM queue');
    return {
      intakeNode: node,
      workerNode: workers.reduce((sum, { child }) => sum + cpuTimeOf(child.pid ?? 0) * 1_000, 0),
      postgres,
      backends: new Map(rows.map(({ pid }) => [pid, cpuTimeOf(pid) * 1_000])),
      wal: await readWal(client),
      eventBytes: await readEventBytes(client),
      queueRows: queue[0]?.rows ?? 0,
    };
  };
  const continueWorkers = (count = workerCount) => {
    for (const { child } of workers.slice(0, count)) child.kill('SIGCONT');
  };
  return {
    ...service,
    project,
    client,
    read,
    /** Stops the workers: what is accepted waits in the queue. */
    pauseWorkers: () => {
      for (const { child } of workers) child.kill('SIGSTOP');
    },
    continueWorkers,
    stop: async () => {
      continueWorkers();
      await client.end();
      for (const worker of workers) await worker.stop();
      await service.stop();
    },
  };
}

async function startWorker(databaseUrl: string) {
  return startProgram(
    [...startFlags(), 'server/bin/tocsin.js', 'start', 'worker'],
    // Without a port for people its banner is empty.
    /\n/,
    { METRICS_PORT: String(await findFreePort()), DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' },
  );
}
