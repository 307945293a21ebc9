import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { lchown, lstat, mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../platform/errors.ts';
import { isRoot } from '../root/run-as.ts';

/** Name of the socket beside the lock. */
export const SOCKET_NAME = 'tocsin.sock';

/** macOS accepts 103 bytes, Linux 107. */
const MAX_SOCKET_PATH_BYTES = 100;
const DRAFT_SUFFIX = '.draft';

/** A socket that listens for as long as this process lives, or one that has inherited it. */
export interface LockSocket {
  /** Descriptor for processes that inherit it; null if the system does not tell. */
  descriptor: number | null;
  /** True if it is still the one that others find. */
  isInPlace(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * True if a process listens there: one of any container on this kernel, be it stopped or busy. False says nothing
 * about other machines, nor about sockets that this process may not connect to.
 */
export async function isListening(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => null);
  if (info === null || !info.isSocket()) return false;
  try {
    return await withShortPath(path, canConnect);
  } catch {
    return false;
  }
}

async function canConnect(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // More connections wait than it accepts.
    return systemCode(error) === 'EAGAIN';
  } finally {
    socket.destroy();
  }
}

/**
 * Listens there, in place of a socket whose process has ended. For the holder of the lock alone.
 * @throws an error of the system if its files cannot be sockets
 */
export async function listenAt(path: string): Promise<LockSocket> {
  await removeDrafts(path);
  const draft = `${path}.${randomUUID().slice(0, 8)}${DRAFT_SUFFIX}`;
  // No data is sent over it: a successful connection is all the information.
  const server = createServer((connection) => connection.destroy());
  server.unref();
  try {
    await withShortPath(draft, async (short) => {
      server.listen(short);
      await once(server, 'listening');
    });
    if (isRoot()) {
      const { uid, gid } = await stat(dirname(path));
      await lchown(draft, uid, gid);
    }
    const { dev, ino } = await lstat(draft);
    await rename(draft, path);
    const isInPlace = async () => {
      const present = await lstat(path).catch(() => null);
      return present !== null && present.dev === dev && present.ino === ino;
    };
    return {
      descriptor: descriptorOf(server),
      isInPlace,
      close: async () => {
        if (await isInPlace()) await rm(path, { force: true });
        await closeServer(server);
      },
    };
  } catch (error) {
    await closeServer(server);
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes what holders that were killed between two steps have left. */
async function removeDrafts(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const isDraft = name.startsWith(`${basename(path)}.`) && name.endsWith(DRAFT_SUFFIX);
    if (isDraft) await rm(join(dirname(path), name), { force: true });
  }
}

/** Returns the descriptor, which Node offers for sockets of connections only. */
function descriptorOf(server: Server): number | null {
  // The handle is not part of the public interface; if it is missing, no process inherits the socket.
  const { _handle: handle } = server as unknown as { _handle?: { fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : null;
}

async function closeServer(server: Server): Promise<void> {
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}

/** Shortens the address of a socket, which is limited: a link leads to the directory of a long path. */
async function withShortPath<T>(path: string, use: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return use(path);
  const link = await linkTo(dirname(path), basename(path));
  try {
    return await use(join(link.path, basename(path)));
  } finally {
    await rm(link.parent, { recursive: true, force: true });
  }
}

async function linkTo(directory: string, name: string): Promise<{ parent: string; path: string }> {
  for (const temporary of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const longest = join(temporary, 'tocsin-lock-XXXXXX', 'd', name);
    if (Buffer.byteLength(longest) > MAX_SOCKET_PATH_BYTES) continue;
    const parent = await mkdtemp(join(temporary, 'tocsin-lock-')).catch(() => null);
    if (parent === null) continue;
    const path = join(parent, 'd');
    await symlink(directory, path);
    return { parent, path };
  }
  throw new Error('there is no writable temporary directory with a short path');
}
