import type { Pool } from '../database/database.ts';
import { type GroupRow, toGroup } from '../groups/group-row.ts';
import { listNewestGroups } from '../groups/list-queries.ts';
import { listGroupsById } from '../groups/queries.ts';
import { type Clock, confirmedTime } from '../platform/clock.ts';
import { toId } from '../platform/ids.ts';
import { listDeploysById, listReleasesByVersion } from '../releases/queries.ts';
import { toDeploy, toRelease } from '../releases/schema.ts';
import type { Clients, Topic } from './clients.ts';
import { findLastUpdateId, listUpdatesAfter, type UpdateRow } from './update-queries.ts';

const MAX_UPDATES = 1_000;
/**
 * Maximum duration of a transaction: ids are assigned before the commit, so a smaller one may appear until it is
 * over.
 */
const COMMIT_MS = 120_000;
/** Maximum remembered ids: beyond it, a late one is not sent, since the lists have it. */
const MAX_REMEMBERED = 10_000;
/** Maximum counted groups of each organization, those that had events last. */
const COUNTED_GROUPS = 50;
const COUNT_INTERVAL_MS = 5_000;
/** Age of events that may be newer than the list that a new viewer read. */
const NEW_MS = 15_000;

/** Change of a group in a frame; `counted`: events have come. */
export type GroupChange = 'created' | 'changed' | 'merged' | 'separated' | 'counted';

const CHANGES = {
  group_created: 'created',
  group_changed: 'changed',
  group_merged: 'merged',
  group_separated: 'separated',
} as const satisfies Partial<Record<UpdateRow['change'], GroupChange>>;

/**
 * Forwards changes of groups, and new releases and deploys, to the clients that asked for them: each in its state at
 * the time of sending, so that several changes of a group are one frame. Counts are read every 5 seconds, of the 50
 * groups of an organization that had events last: nothing is written for them.
 */
export class LiveUpdates {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #clients: Clients;
  /** Id up to which all updates are sent. */
  #afterId = 0;
  /** Sent ids after it, with the time of sending. */
  readonly #sent = new Map<number, number>();
  /** Last sent counts, by organization and group. */
  readonly #counts = new Map<string, Map<string, number>>();
  #countedMs = Number.NEGATIVE_INFINITY;

  constructor(pool: Pool, clock: Clock, clients: Clients) {
    this.#pool = pool;
    this.#clock = clock;
    this.#clients = clients;
  }

  /** Skips earlier updates, which are in the lists that a client reads after connecting. */
  async skipToEnd(): Promise<void> {
    this.#afterId = await findLastUpdateId(this.#pool);
  }

  /** Resets the counts for a further viewer of an organization, whose lists may be older than the last frame. */
  addViewer(organizationId: string): void {
    this.#counts.delete(organizationId);
    this.#countedMs = Number.NEGATIVE_INFINITY;
  }

  /** @returns true if there may be more already */
  async forwardNew(): Promise<boolean> {
    const nowMs = this.#clock.now();
    const organizationIds = [...new Set([...this.#viewersOf('groups'), ...this.#viewersOf('releases')])];
    const read = {
      afterId: this.#afterId,
      except: [...this.#sent.keys()],
      organizationIds,
      limit: MAX_UPDATES,
    };
    const { ids, updates } = await listUpdatesAfter(this.#pool, read);
    for (const organizationId of organizationIds) {
      await this.#send(
        organizationId,
        updates.filter((update) => update.organizationId === organizationId),
      );
    }
    for (const id of ids) this.#sent.set(id, nowMs);
    this.#forgetSent(nowMs);
    if (nowMs - this.#countedMs >= COUNT_INTERVAL_MS || nowMs < this.#countedMs)
      await this.#sendCounts(nowMs);
    return ids.length === MAX_UPDATES;
  }

  #viewersOf(topic: Topic): string[] {
    const viewers = this.#clients.all().filter(({ topics }) => topics.has(topic));
    return [...new Set(viewers.map(({ organizationId }) => organizationId))].toSorted();
  }

  async #send(organizationId: string, updates: readonly UpdateRow[]): Promise<void> {
    if (updates.length === 0) return;
    const of = (...changes: UpdateRow['change'][]) =>
      updates.filter(({ change }) => changes.includes(change));
    const releases = of('release_created').map(({ projectId, subject }) => ({ projectId, version: subject }));
    const [groups, created, deploys] = await Promise.all([
      this.#readGroups(organizationId, updates),
      releases.length > 0 ? listReleasesByVersion(this.#pool, organizationId, releases) : [],
      listDeploysById(
        this.#pool,
        organizationId,
        of('deploy_recorded').map(({ subject }) => subject),
      ),
    ]);
    for (const release of created)
      this.#sendTo(organizationId, 'release_created', { data: toRelease(release) });
    for (const deploy of deploys) this.#sendTo(organizationId, 'deploy_recorded', { data: toDeploy(deploy) });
    for (const [group, change] of groups) this.#sendGroup(organizationId, group, change);
  }

  /**
   * Reads the changed groups. The last change of a group counts, but a group that is new and changed is sent as new.
   */
  async #readGroups(
    organizationId: string,
    updates: readonly UpdateRow[],
  ): Promise<[GroupRow, GroupChange][]> {
    const changes = new Map<string, GroupChange>();
    for (const { change, subject } of updates) {
      if (change === 'release_created' || change === 'deploy_recorded') continue;
      if (change !== 'group_changed' || !changes.has(subject)) changes.set(subject, CHANGES[change]);
    }
    if (changes.size === 0) return [];
    const at = new Date(confirmedTime(this.#clock));
    const groups = await listGroupsById(this.#pool, organizationId, [...changes.keys()], at);
    return groups.map((group) => [group, changes.get(group.id) ?? 'changed']);
  }

  async #sendCounts(nowMs: number): Promise<void> {
    this.#countedMs = nowMs;
    const viewed = this.#viewersOf('groups');
    for (const organizationId of this.#counts.keys())
      if (!viewed.includes(organizationId)) this.#counts.delete(organizationId);
    const at = new Date(confirmedTime(this.#clock));
    for (const organizationId of viewed) {
      const groups = await listNewestGroups(this.#pool, organizationId, COUNTED_GROUPS, at);
      const before = this.#counts.get(organizationId);
      for (const group of groups) {
        const isNews = before
          ? before.get(group.id) !== group.count
          : group.lastSeen.getTime() > nowMs - NEW_MS;
        if (isNews) this.#sendGroup(organizationId, group, 'counted');
      }
      this.#counts.set(organizationId, new Map(groups.map(({ id, count }) => [id, count])));
    }
  }

  #sendGroup(organizationId: string, group: GroupRow, change: GroupChange): void {
    const mergedInto = group.mergedInto && toId('grp', group.mergedInto);
    this.#sendTo(organizationId, 'group_updated', { change, mergedInto, data: toGroup(group) });
  }

  #sendTo(
    organizationId: string,
    event: 'group_updated' | 'release_created' | 'deploy_recorded',
    content: object,
  ): void {
    const topic: Topic = event === 'group_updated' ? 'groups' : 'releases';
    const frame = JSON.stringify({ event, ...content });
    this.#clients.send(organizationId, event, frame, ({ topics }) => topics.has(topic));
  }

  #forgetSent(nowMs: number): void {
    const ids = [...this.#sent.keys()].toSorted((left, right) => left - right);
    for (const [index, id] of ids.entries()) {
      const isSettled = (this.#sent.get(id) ?? 0) < nowMs - COMMIT_MS;
      if (!isSettled && ids.length - index <= MAX_REMEMBERED) break;
      this.#sent.delete(id);
      this.#afterId = Math.max(this.#afterId, id);
    }
  }
}
