import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Place of a process, as far as its pid is of use to others. */
export interface Place {
  /**
   * Id of the pid namespace: two processes with the same id see each other under their pids. Null if unknown: equal
   * to none.
   */
  id: string | null;
  /** Name for people: in a container it is the name of the container. */
  host: string;
}

/**
 * Finds the place of this process. A pid identifies a process within one pid namespace of one running kernel. The
 * number of a namespace is given to another one only after the last of its processes has ended.
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
