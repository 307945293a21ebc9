import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemCode } from '../platform/errors.ts';

/**
 * Start time of a process, which tells it from every other that has had or will have its pid. Null if it does not
 * run; a zombie does not. `hidden` if it exists but the system does not show it to us.
 */
export async function processStart(pid: number): Promise<string | null> {
  if (!exists(pid)) return null;
  const start = process.platform === 'linux' ? await startFromProc(pid) : await startFromPs(pid);
  if (start === 'zombie') return null;
  return start ?? (exists(pid) ? 'hidden' : null);
}

/** The program and its arguments, each followed by a space; null if it does not run or is hidden. */
export async function commandLine(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') {
    const line = await ps(pid, 'command=');
    return line === null ? null : `${line} `;
  }
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return line.replaceAll('\0', ' ') || null;
}

/** True if the pid is taken, be it by a zombie or by a process of another user. */
export function exists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

async function startFromProc(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // Ticks count from the boot: without it, a process of the last boot could look like one of this.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  // The name, second of the fields, is in parentheses and may itself contain some: [0] is field 3, [19] field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return /^[ZX]/.test(fields[0] ?? '') ? 'zombie' : `${fields[19]}@${boot.trim()}`;
}

async function startFromPs(pid: number): Promise<string | null> {
  const [state, ...start] = (await ps(pid, 'stat=,lstart='))?.split(/\s+/) ?? [];
  if (state === undefined) return null;
  return state.startsWith('Z') ? 'zombie' : start.join(' ');
}

const run = promisify(execFile);

async function ps(pid: number, format: string): Promise<string | null> {
  const args = ['-ww', '-o', format, '-p', String(pid)];
  // A fixed locale and zone: the text is compared with what another process read.
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
  const output = await run('ps', args, { env, timeout: 5_000 }).catch(() => null);
  return output?.stdout.trim() || null;
}
