import { existsSync } from 'node:fs';
import { POSTGRES_PROGRAMS } from './patroni.ts';

/** Programs of Debian 12 by the package that has them. */
const PROGRAMS = {
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  iproute2: '/usr/sbin/ip',
  patroni: '/usr/bin/patroni',
  'postgresql-15': `${POSTGRES_PROGRAMS}/postgres`,
  'util-linux': '/usr/bin/unshare',
} as const;

/** Returns why the proof cannot run here, in a sentence; null where it can. Nothing is installed. */
export function findHindrance(): string | null {
  if (process.platform !== 'linux') return 'It needs Linux, for network namespaces.';
  if (process.getuid?.() !== 0) return 'It needs root, for network namespaces.';
  const missing = Object.entries(PROGRAMS)
    .filter(([, program]) => !existsSync(program))
    .map(([name]) => name);
  if (missing.length === 0) return null;
  return `Packages are missing: apt-get install --no-install-recommends ${missing.join(' ')}`;
}
