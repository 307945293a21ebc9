import type { Connection } from './data-directory/connection-file.ts';
import type { DataDirectory } from './data-directory/data-directory.ts';
import type { HeldLock } from './lock/held-lock.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './options.ts';
import { clearPostmasterFile, endOrphan } from './process/orphan.ts';
import type { Postmaster } from './process/postmaster.ts';

export type Launch = (
  settings: Record<string, string>,
  signal: AbortSignal | undefined,
) => Promise<Postmaster>;

/** A server that runs; another postmaster takes its place when it is started again. */
export interface Server {
  directory: DataDirectory;
  connection: Connection;
  launch: Launch;
  postmaster: Postmaster;
  isLost: boolean;
}

interface Owner {
  /** Connection of the role that serves. */
  service: Connection;
  lock: HeldLock;
  /** Ends the server, and gives back what its start has taken. */
  cleanUp: () => Promise<void>;
}

/** The running server as its user sees it: it is ended when another process takes over the data directory. */
export function followServer(
  server: Server,
  { service, lock, cleanUp }: Owner,
  { log = () => {}, warn = () => {} }: EmbeddedPostgresOptions,
): EmbeddedPostgres {
  const { directory } = server;
  void lock.lost.then(() => {
    server.isLost = true;
    warn(`Another process has taken over ${directory.path}: PostgreSQL is ended at once.`);
    server.postmaster.abort();
  });
  let stopping: Promise<void> | undefined;
  return {
    connection: service,
    maintenance: server.connection,
    stop: () => (stopping ??= cleanUp()),
    get exited() {
      return server.postmaster.exited.then((exit) =>
        stopping === undefined ? exit : new Promise<never>(() => {}),
      );
    },
    lost: lock.lost,
    lastLines: () => server.postmaster.lastLines(),
    relaunch: async (signal) => {
      await endOrphan(directory.cluster, log);
      await clearPostmasterFile(directory.cluster);
      if (server.isLost) return;
      server.postmaster = await server.launch({}, signal);
      if (server.isLost) server.postmaster.abort();
    },
  };
}
