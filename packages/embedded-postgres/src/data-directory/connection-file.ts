import { randomBytes } from 'node:crypto';
import type { DataDirectory } from './data-directory.ts';
import { readIfThere, replaceFile } from './files.ts';

/** What node-pg takes. The host is the directory of a Unix socket. */
export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export const SUPERUSER = 'tocsin';
export const DATABASE = 'tocsin';
/** Only names the socket's file: nothing listens on the network. */
export const PORT = 5432;

/** Null when there is none, or none that can be read: then the password is lost. */
export async function readConnection(directory: DataDirectory): Promise<Connection | null> {
  const content = await readIfThere(directory.connection);
  try {
    const { host, password } = JSON.parse(content ?? '') as Partial<Connection>;
    if (typeof host !== 'string' || typeof password !== 'string' || password === '') return null;
    return { host, port: PORT, user: SUPERUSER, password, database: DATABASE };
  } catch {
    return null;
  }
}

export async function writeConnection(directory: DataDirectory, connection: Connection): Promise<void> {
  await replaceFile(directory.connection, `${JSON.stringify(connection, null, 2)}\n`);
}

export function newPassword(): string {
  return randomBytes(32).toString('base64url');
}
