import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandError } from '../../platform/command-error.ts';

/** Data that `tocsin login` stores: one server and the token for it. */
export interface Credentials {
  url: string;
  token: string;
}

/**
 * Path in the user's configuration directory (XDG Base Directory Specification): relative paths there are invalid.
 */
function credentialsPath(environment: NodeJS.ProcessEnv): string {
  const configured = environment['XDG_CONFIG_HOME'] ?? '';
  const home = environment['HOME'] || homedir();
  const directory = path.isAbsolute(configured) ? configured : path.join(home, '.config');
  return path.join(directory, 'tocsin', 'credentials.json');
}

/** @throws CommandError if the file is not a valid one */
export async function readCredentials(environment: NodeJS.ProcessEnv): Promise<Credentials | null> {
  const file = credentialsPath(environment);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  try {
    const { url, token } = JSON.parse(text) as Partial<Credentials>;
    if (typeof url === 'string' && URL.canParse(url) && typeof token === 'string') return { url, token };
  } catch {
    // The same answer as for JSON of another form.
  }
  throw new CommandError(`${file} is damaged: remove it and run \`tocsin login\` again.`);
}

/**
 * Writes the file beside its place first, so that a crash leaves either file complete; only the user may read it at
 * every moment.
 */
export async function writeCredentials(
  environment: NodeJS.ProcessEnv,
  credentials: Credentials,
): Promise<string> {
  const file = credentialsPath(environment);
  const beside = `${file}.${process.pid}`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await rm(beside, { force: true });
    await writeFile(beside, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(beside, file);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${messageOf(error)}.`, { cause: error });
  }
  return file;
}

/** @returns true if there were any */
export async function deleteCredentials(environment: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    await rm(credentialsPath(environment));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw new CommandError(`The credentials cannot be removed: ${messageOf(error)}.`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
