import { type Severity, worst } from '../../events/severity.ts';

/** Events of a batch that have one kind, release, severity and minute; several cells may have the same ones. */
export type BatchCell = [
  organizationId: string,
  projectId: string,
  fingerprint: string,
  /** By the algorithm before this one; null: not computed. */
  former: string | null,
  release: string | null,
  severity: Severity,
  /** Of capture, since 1970. */
  minute: number,
  count: number,
  firstMs: number,
  lastMs: number,
  receivedMs: number,
  /** Hashes of 53 bits, one for each event that names a user; null: none does. */
  users: number[] | null,
];

type Counts = Record<Severity, number>;

/** The events of a batch that have one fingerprint. Times are those of capture, in milliseconds. */
export interface Print {
  organizationId: string;
  projectId: string;
  fingerprint: string;
  former: string | null;
  /** The worst. */
  severity: Severity;
  firstMs: number;
  lastMs: number;
  receivedMs: number;
  count: number;
  minutes: Map<number, Counts>;
  /** When each was captured last; null: events without a release. */
  releases: Map<string | null, number>;
  /** Of the first event that names one, and when that was. */
  firstRelease: string | null;
  firstReleaseMs: number;
  users: Set<number>;
}

/** In the order of project and fingerprint. */
export function gatherPrints(cells: readonly BatchCell[]): Print[] {
  const prints = new Map<string, Print>();
  for (const cell of cells) {
    const [organizationId, projectId, fingerprint, former, , severity, , , firstMs] = cell;
    const key = keyOf(projectId, fingerprint);
    let print = prints.get(key);
    if (!print) {
      print = {
        organizationId,
        projectId,
        fingerprint,
        former,
        severity,
        firstMs,
        lastMs: firstMs,
        receivedMs: 0,
        count: 0,
        minutes: new Map(),
        releases: new Map(),
        firstRelease: null,
        firstReleaseMs: Number.POSITIVE_INFINITY,
        users: new Set(),
      };
      prints.set(key, print);
    }
    addCell(print, cell);
  }
  return [...prints.keys()].toSorted().flatMap((key) => prints.get(key) ?? []);
}

function addCell(print: Print, cell: BatchCell): void {
  const [, , , former, release, severity, minute, count, firstMs, lastMs, receivedMs, users] = cell;
  for (const user of users ?? []) print.users.add(user);
  print.former ??= former;
  print.severity = worst(print.severity, severity);
  print.firstMs = Math.min(print.firstMs, firstMs);
  if (release !== null && firstMs < print.firstReleaseMs) {
    print.firstRelease = release;
    print.firstReleaseMs = firstMs;
  }
  print.lastMs = Math.max(print.lastMs, lastMs);
  print.receivedMs = Math.max(print.receivedMs, receivedMs);
  print.count += count;
  addCounts(print.minutes, minute, { info: 0, warn: 0, error: 0, critical: 0, [severity]: count });
  print.releases.set(release, Math.max(print.releases.get(release) ?? 0, lastMs));
}

function addCounts(minutes: Map<number, Counts>, minute: number, more: Counts): void {
  const counts = minutes.get(minute);
  if (!counts) {
    minutes.set(minute, { ...more });
    return;
  }
  counts.info += more.info;
  counts.warn += more.warn;
  counts.error += more.error;
  counts.critical += more.critical;
}

export function keyOf(projectId: string, fingerprint: string): string {
  return `${projectId} ${fingerprint}`;
}
