import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Where a process runs, as far as its pid is of use to others. */
export interface Place {
  /** Two processes with the same id see each other under their pids. Null where it is not known: equal to none. */
  id: string | null;
  /** For people: in a container it is the name of the container. */
  host: string;
}

/**
 * A pid names a process within one pid namespace of one kernel that runs. The number of a namespace is given
 * to another one only after the last of its processes has ended.
 */
export async function findPlace(): Promise<Place> {
  const host = hostname();
  if (process.platform !== 'linux') return { id: `${process.platform} ${host}`, host };
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return { id: `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`, host };
  } catch {
    return { id: null, host };
  }
}
