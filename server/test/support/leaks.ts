import { Server, Socket } from 'node:net';
import { waitFor } from './wait.ts';

/*
 * Files that share a process must leave nothing behind in it: no server, no socket, no listener of the process. Things that a file
 * starts for all later ones are kept.
 */

/** Access to the servers and sockets that the process waits for, which only this function of Node lists. */
type Process = NodeJS.Process & { _getActiveHandles: () => unknown[] };

const kept = new WeakSet<object>();
/** Ports of kept servers, whose connections come and go. */
const keptPorts = new Set<number>();
let keptListeners = new Map<string | symbol, number>();

/** Starts something that all files of the process use and that ends with it. */
export async function keepForProcess<T>(start: () => Promise<T>): Promise<T> {
  const [handles, listeners] = [new Set(listHandles()), countListeners()];
  const started = await start();
  for (const handle of listHandles()) {
    if (handles.has(handle)) continue;
    kept.add(handle);
    const address = handle instanceof Server ? handle.address() : null;
    if (address !== null && typeof address === 'object') keptPorts.add(address.port);
  }
  for (const [event, count] of countListeners()) {
    const added = count - (listeners.get(event) ?? 0);
    if (added > 0) keptListeners.set(event, (keptListeners.get(event) ?? 0) + added);
  }
  return started;
}

/**
 * Marks everything present as kept. Called before a file begins.
 * @param postgresPort port of connections whose leaks the database reports; null if they have no port
 */
export function keepPresent(postgresPort: number | null): void {
  if (postgresPort !== null) keptPorts.add(postgresPort);
  for (const handle of listHandles()) kept.add(handle);
  keptListeners = countListeners();
}

/** A connection that a browser opens ahead, and sends nothing on, ends by the limit on the headers of a request, after 15 s to 21 s. */
const CLOSE_LIMIT_MS = 40_000;

/**
 * Waits until what a file has started has ended.
 * @throws Error with a list of what is left
 */
export async function assertNothingLeft(limitMs: number = CLOSE_LIMIT_MS): Promise<void> {
  await waitUntilNone(findLeaks, limitMs);
}

/**
 * Waits until a list is empty.
 * @throws Error that names what is left
 */
export async function waitUntilNone(
  list: () => Promise<string[]> | string[],
  limitMs?: number,
): Promise<void> {
  let left: string[] = [];
  const isEmpty = async () => (left = await list()).length === 0;
  await waitFor('nothing to be left', isEmpty, limitMs).catch((error: unknown) => {
    throw new Error(`The file leaves behind ${left.join(', ')}.`, { cause: error });
  });
}

function findLeaks(): string[] {
  const handles = listHandles().flatMap((handle) => describeLeak(handle) ?? []);
  const listeners = [...countListeners()].flatMap(([event, count]) => {
    const more = count - (keptListeners.get(event) ?? 0);
    return Array<string>(Math.max(more, 0)).fill(`a listener of the process for ${String(event)}`);
  });
  return [...handles, ...listeners];
}

function describeLeak(handle: object): string | null {
  if (kept.has(handle)) return null;
  if (handle instanceof Server) {
    const address = handle.address();
    return `a server on ${typeof address === 'object' ? `${address?.address}:${address?.port}` : address}`;
  }
  // Connections to PostgreSQL over its socket in the file system have no port: the database tells those that are left.
  if (!(handle instanceof Socket) || handle.remotePort === undefined || handle.destroyed) return null;
  if (keptPorts.has(handle.remotePort) || keptPorts.has(handle.localPort ?? 0)) return null;
  return `a socket from port ${handle.localPort} to port ${handle.remotePort}`;
}

function listHandles(): object[] {
  const handles = (process as Process)['_getActiveHandles']();
  return handles.filter((handle) => typeof handle === 'object' && handle !== null);
}

function countListeners(): Map<string | symbol, number> {
  return new Map(process.eventNames().map((event) => [event, process.listenerCount(event as 'exit')]));
}
