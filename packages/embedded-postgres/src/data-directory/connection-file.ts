import { randomBytes } from 'node:crypto';
import type { DataDirectory } from './data-directory.ts';
import { readIfThere, replaceFile } from './files.ts';

/** Connection settings of node-pg. The host is the directory of a Unix socket. */
export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** Role that creates and maintains the cluster. */
export const SUPERUSER = 'tocsin';
/** Role of the service: it owns our database, and nothing else. */
export const SERVICE_ROLE = 'tocsin_service';
export const DATABASE = 'tocsin';
/** Part of the socket file's name only: no server listens on the network. */
export const PORT = 5432;

/** Connections of each role to one server. */
export interface Connections {
  superuser: Connection;
  /** Null: the first start has not reached this step. */
  service: Connection | null;
}

/** Null if there is none, or none that can be read: then the passwords are lost. */
export async function readConnections(directory: DataDirectory): Promise<Connections | null> {
  const content = await readIfThere(directory.connection);
  try {
    const { host, password, servicePassword } = JSON.parse(content ?? '') as Record<string, unknown>;
    if (typeof host !== 'string' || typeof password !== 'string' || password === '') return null;
    const superuser = { host, port: PORT, user: SUPERUSER, password, database: DATABASE };
    const service = typeof servicePassword === 'string' ? asService(superuser, servicePassword) : null;
    return { superuser, service };
  } catch {
    return null;
  }
}

export function asService(superuser: Connection, password: string): Connection {
  return { ...superuser, user: SERVICE_ROLE, password };
}

export async function writeConnections(
  directory: DataDirectory,
  { superuser, service }: Connections,
): Promise<void> {
  const file = { ...superuser, ...(service && { servicePassword: service.password }) };
  await replaceFile(directory.connection, `${JSON.stringify(file, null, 2)}\n`);
}

export function newPassword(): string {
  return randomBytes(32).toString('base64url');
}
