import { readFile, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Store, Transaction } from '../../database/database.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { Log } from '../../platform/log.ts';
import { recordUnstored } from '../../processing/record-unstored.ts';
import { insertClaims } from '../../queue/queries.ts';
import type { AppendResult, SpoolableQueue } from '../../queue/queue.ts';
import type { ItemCounts } from '../intake/item-counts.ts';
import { isMissing, removeIfEmpty } from './folder.ts';
import { decodeRecord, type SpoolRecord } from './record.ts';
import { recordKeptCheckIn } from './record-kept-check-in.ts';
import type { Spool } from './spool.ts';

export interface DrainDependencies extends Store {
  spool: Spool;
  queue: SpoolableQueue;
  /** Called after each commit: the database answers. */
  onCommit: () => void;
  log: Log;
  /** Counts check-ins that are refused. */
  counts: ItemCounts;
  /** Number of requests that wait for a commit: they come first. */
  countLive: () => number;
}

/** Age from which a record is a dead letter: the weeks of events are closed half a day after their end. */
const MAX_AGE_MS = 12 * HOUR_MS;
const MAX_BATCH_RECORDS = 256;
const MAX_BATCH_BYTES = 1024 * 1024;
/** Live requests may delay a batch so often and for so long. */
const LIVE_WAITS = 20;
const LIVE_WAIT_MS = 25;

/**
 * Drains the oldest segment into the queue, in the order of the file, projects in turn. A record counts as drained after
 * its commit; after a crash before the file is removed its claim recognises it. A file with records that cannot be read is
 * kept in the spool's directory, where nothing drains it.
 * @returns false: nothing waits
 * @throws if the database does not answer; what was not committed stays
 */
export async function drainSegment(dependencies: DrainDependencies, stopping: AbortSignal): Promise<boolean> {
  const { spool, log } = dependencies;
  const segment = await spool.oldest();
  if (segment === null) return false;
  const { records, unread } = await readSegment(segment.path);
  for (const batch of toBatches(records)) {
    for (let wait = 0; wait < LIVE_WAITS && dependencies.countLive() > 0; wait++) await delay(LIVE_WAIT_MS);
    if (stopping.aborted) return true;
    await commitBatch(dependencies, batch);
  }
  const folder = dirname(segment.path);
  if (unread === 0) await unlink(segment.path).catch(isMissing);
  else {
    const path = join(spool.directory, `${basename(folder)}-${basename(segment.path)}`);
    await rename(segment.path, path).catch(isMissing);
    log.error({ path, unread }, 'records of the spool cannot be read: their file is kept');
  }
  spool.forget(segment);
  if (folder !== spool.folder) await removeIfEmpty(folder);
  return true;
}

export interface ReadSegment {
  records: SpoolRecord[];
  /** Number of complete records that are damaged, or of another format. */
  unread: number;
}

/** @returns no record if the file is gone */
export async function readSegment(path: string): Promise<ReadSegment> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => (isMissing(error), ''));
  const lines = text.split('\n');
  // A line without its line feed was cut off by a crash, and never acknowledged.
  lines.pop();
  const read: ReadSegment = { records: [], unread: 0 };
  for (const line of lines) {
    const record = decodeRecord(line);
    if (record) read.records.push(record);
    else read.unread++;
  }
  return read;
}

/** Batches of a segment: each takes a record of every project in turn. */
export function toBatches(records: SpoolRecord[]): SpoolRecord[][] {
  const lines = byProject(records);
  const batches: SpoolRecord[][] = [];
  let batch: SpoolRecord[] = [];
  let bytes = 0;
  for (let turn = 0; lines.size > 0; turn++) {
    for (const [projectId, line] of lines) {
      const record = line[turn];
      if (!record) {
        lines.delete(projectId);
        continue;
      }
      batch.push(record);
      bytes += record.item.events.reduce((sum, event) => sum + event.length, 0);
      if (batch.length < MAX_BATCH_RECORDS && bytes < MAX_BATCH_BYTES) continue;
      batches.push(batch);
      [batch, bytes] = [[], 0];
    }
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

async function commitBatch(dependencies: DrainDependencies, batch: SpoolRecord[]): Promise<void> {
  const { queue, clock, onCommit } = dependencies;
  const oldest = confirmedTime(clock) - MAX_AGE_MS;
  const ofEvents = batch.filter(({ checkIn }) => !checkIn);
  const tooOld = ofEvents.filter(({ receivedAt }) => Date.parse(receivedAt) < oldest);
  const items = ofEvents.filter((record) => !tooOld.includes(record)).map(({ item }) => item);
  if (ofEvents.length > 0)
    await queue.appendSpooled(items, (transaction, results) =>
      settle(transaction, { items, results, tooOld }),
    );
  for (const record of batch)
    if (record.checkIn) await recordKeptCheckIn(dependencies, record, record.checkIn);
  onCommit();
}

interface Outcome {
  items: SpoolRecord['item'][];
  results: AppendResult[];
  tooOld: SpoolRecord[];
}

/**
 * Counts what is not stored: of keys that are no longer valid, of deleted projects, and what is too old. Each claims its
 * key first, as what is stored does, so that it is counted once, however often it is drained.
 */
async function settle(transaction: Transaction, { items, results, tooOld }: Outcome): Promise<void> {
  const refused = items.filter((_item, index) => results[index]?.status === 'refused');
  const old = tooOld.map(({ item }) => item);
  const claims = [...refused, ...old].map(({ projectId, claim }) => ({ projectId, ...claim }));
  if (claims.length === 0) return;
  const won = await insertClaims(transaction, claims, new Date(transaction.now()));
  const unstored = [
    ...refused.map((item) => ({ item, reason: null })),
    ...tooOld.map(({ item, receivedAt }) => ({
      item,
      reason: `It waited on disk since ${receivedAt}, longer than 12 hours.`,
    })),
  ].filter(({ item }) => won.has(item.claim.jobId));
  for (const [projectId, items] of byProject(unstored))
    await recordUnstored(
      transaction,
      projectId,
      items.map(({ item: { events }, reason }) => ({ events, reason })),
    );
}

/** @returns the values of each project, which are in the order of their ids */
function byProject<T extends { item: SpoolRecord['item'] }>(all: T[]): Map<string, T[]> {
  const lists = new Map<string, T[]>();
  for (const value of all) {
    const { projectId } = value.item;
    const list = lists.get(projectId);
    if (list) list.push(value);
    else lists.set(projectId, [value]);
  }
  return new Map([...lists].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
