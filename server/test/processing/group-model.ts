import { MAX_KNOWN_USERS } from '../../src/groups/limits.ts';

const SEVERITIES = ['info', 'warn', 'error', 'critical'] as const;

/** An event, with all fields that its group counts. */
export interface ModelEvent {
  fingerprint: string;
  capturedMs: number;
  severity: (typeof SEVERITIES)[number];
  release: string | null;
  correlation: Record<string, string>;
}

/** A group in the form of its row, with fingerprints in place of ids. */
interface ModelGroup {
  count: number;
  severity: string;
  firstMs: number;
  lastMs: number;
  firstRelease: string | null;
  lastRelease: string | null;
  users: Set<string>;
  minutes: Map<number, Record<string, number>>;
  releases: Set<string>;
}

const releaseOf = ({ release }: ModelEvent) => release?.trim() || null;
const userOf = ({ correlation }: ModelEvent) => correlation['user_id'] || correlation['customer_id'] || null;

/** Counts events one by one, without any code of the service. */
export class GroupModel {
  readonly #groups = new Map<string, ModelGroup>();
  readonly #heads: ReadonlyMap<string, string>;

  /** @param heads the fingerprints that others are merged into, by the merged one */
  constructor(heads: ReadonlyMap<string, string> = new Map()) {
    this.#heads = heads;
  }

  add(batch: readonly ModelEvent[]): void {
    const byGroup = new Map<string, ModelEvent[]>();
    for (const event of batch) {
      for (const fingerprint of [event.fingerprint, this.#heads.get(event.fingerprint)])
        if (fingerprint !== undefined) byGroup.set(fingerprint, [...(byGroup.get(fingerprint) ?? []), event]);
    }
    for (const [fingerprint, events] of byGroup) this.#addTo(fingerprint, events);
  }

  #addTo(fingerprint: string, events: readonly ModelEvent[]): void {
    const firstMs = events.reduce((least, { capturedMs }) => Math.min(least, capturedMs), Infinity);
    const group: ModelGroup = this.#groups.get(fingerprint) ?? {
      count: 0,
      severity: 'info',
      firstMs,
      lastMs: firstMs,
      firstRelease: null,
      lastRelease: null,
      users: new Set(),
      minutes: new Map(),
      releases: new Set(),
    };
    this.#groups.set(fingerprint, group);
    const named = events
      .flatMap((event) => {
        const release = releaseOf(event);
        return release === null ? [] : [{ release, ms: event.capturedMs }];
      })
      .toSorted((left, right) => left.ms - right.ms || (left.release < right.release ? -1 : 1));
    const last = named.at(-1);
    group.firstRelease ??= named[0]?.release ?? null;
    if (last && (group.lastRelease === null || last.ms >= group.lastMs)) group.lastRelease = last.release;
    for (const event of events) {
      group.count++;
      group.firstMs = Math.min(group.firstMs, event.capturedMs);
      group.lastMs = Math.max(group.lastMs, event.capturedMs);
      if (
        SEVERITIES.indexOf(event.severity) > SEVERITIES.findIndex((severity) => severity === group.severity)
      )
        group.severity = event.severity;
      const user = userOf(event);
      if (user !== null) group.users.add(user);
      if (event.fingerprint !== fingerprint) continue;
      const release = releaseOf(event);
      if (release !== null) group.releases.add(release);
      const minute = Math.floor(event.capturedMs / 60_000) * 60_000;
      const counts = group.minutes.get(minute) ?? { info: 0, warn: 0, error: 0, critical: 0 };
      group.minutes.set(minute, { ...counts, [event.severity]: (counts[event.severity] ?? 0) + 1 });
    }
  }

  /** Returns the groups in the order of their fingerprints. */
  list() {
    return [...this.#groups]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([fingerprint, { users, minutes, releases, ...group }]) => ({
        fingerprint,
        ...group,
        users: Math.min(users.size, MAX_KNOWN_USERS + 1),
        minutes: [...minutes]
          .toSorted(([left], [right]) => left - right)
          .map(([ms, counts]) => ({ ms, ...counts })),
        releases: [...releases].toSorted(),
      }));
  }
}
