import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { lchown, lstat, mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../errors.ts';
import { isRoot } from '../root/run-as.ts';

/** Beside the lock. */
export const SOCKET_NAME = 'tocsin.sock';

/** macOS takes 103 bytes, Linux 107. */
const MAX_SOCKET_PATH_BYTES = 100;
const DRAFT_SUFFIX = '.draft';

/** A socket that listens for as long as this process lives, or one that has inherited it. */
export interface LockSocket {
  /** For processes that are to inherit it; null where the system does not tell. */
  descriptor: number | null;
  /** Whether it is still the one that others find. */
  isInPlace(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Whether a process listens there: one of any container on this kernel, be it stopped or busy. False says
 * nothing about other machines, nor where this process may not connect.
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
 * @throws an error of the system where its files cannot be sockets
 */
export async function listenAt(path: string): Promise<LockSocket> {
  await removeDrafts(path);
  const draft = `${path}.${randomUUID().slice(0, 8)}${DRAFT_SUFFIX}`;
  // Nothing is said over it: that it can be connected to is all.
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

/** What holders that were killed between two steps have left. */
async function removeDrafts(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const isDraft = name.startsWith(`${basename(path)}.`) && name.endsWith(DRAFT_SUFFIX);
    if (isDraft) await rm(join(dirname(path), name), { force: true });
  }
}

/** Node offers it for sockets of connections only. */
function descriptorOf(server: Server): number | null {
  // The handle is no part of the public interface; where it is missing, nothing inherits the socket.
  const { _handle: handle } = server as unknown as { _handle?: { fd?: number } | null };
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : null;
}

async function closeServer(server: Server): Promise<void> {
  if (server.listening) await new Promise((resolve) => server.close(resolve));
}

/** The address of a socket is short: a long path is made so by a link to its directory. */
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
  throw new Error('no temporary directory can be written and has a short path');
}
