import type { InheritedDescriptor } from '../../http/sockets/listening-sockets.ts';

/** First descriptor after those of standard input, output and error. */
export const FIRST_INHERITED = 3;
const MAX_INHERITED = 64;

/**
 * Returns the descriptors that systemd or the process before this one has passed, by the convention of
 * `sd_listen_fds(3)`. Those that are meant for another process are left out.
 */
export function readInheritedDescriptors(
  environment: Record<string, string | undefined>,
  pid: number,
): InheritedDescriptor[] {
  const { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = '' } = environment;
  const count = Number(LISTEN_FDS);
  if (LISTEN_PID !== String(pid) || !Number.isSafeInteger(count)) return [];
  const names = LISTEN_FDNAMES.split(':');
  return Array.from({ length: Math.min(Math.max(count, 0), MAX_INHERITED) }, (_, index) => ({
    fd: FIRST_INHERITED + index,
    name: names[index] ?? '',
  }));
}

/** Returns the variables by which a program finds descriptors with these names; `LISTEN_PID` is added by a shell. */
export function describeInherited(names: readonly string[]): Record<string, string> {
  return { LISTEN_FDS: String(names.length), LISTEN_FDNAMES: names.join(':') };
}
