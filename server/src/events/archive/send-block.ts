import { to as copyTo } from 'pg-copy-streams';
import type { Pool } from '../../database/database.ts';
import { withOwnConnection } from '../../database/own-connection.ts';
import { addAttempt, type Block, listBlocksOfWeek, updateBlockStored } from './block-queries.ts';
import { blockColumns } from './block-rows.ts';
import type { EventArchive, HeldBlock } from './event-archive.ts';
import { listHeldIds } from './held-queries.ts';
import { copyOfBlock, countBlock, listIds } from './week-queries.ts';

/** Ids that the archive is asked for at once. */
const ASKED_IDS = 10_000;

export interface SendDependencies {
  pool: Pool;
  /** Pool without time limits: a block takes as long as the archive needs. */
  unlimitedPool: Pool;
  archive: EventArchive;
}

/**
 * `stored`: the archive has it as PostgreSQL does; `again`: it was removed there, or has changed here; `different`: the archive has
 * acknowledged its rows, and has others.
 */
type SendResult = 'stored' | 'again' | 'different';

/**
 * Brings a block into the archive: asks for it, inserts it if nothing is there, and asks again. Rows that are there and differ,
 * those of an insert that was interrupted or from before a removal, are removed first. The rows are read in one snapshot. A
 * repeat has the same token until rows were removed, since an insert that seems lost may still arrive.
 */
export function sendBlock(
  { pool, unlimitedPool, archive }: SendDependencies,
  installationId: string,
  block: Block,
): Promise<{ result: SendResult; rows: number }> {
  const { number, afterId, lastId, attempt } = block;
  const weekMs = block.week.getTime();
  const place = { number, weekMs };
  return withOwnConnection(unlimitedPool, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const events = { weekMs, afterId, lastId, held: [] as string[] };
    const known = await listBlocksOfWeek(pool, block.week);
    if (known.some(({ state }) => state === 'adopted'))
      events.held = await findHeld(archive, place, await listIds(client, events));
    const sum = await countBlock(client, events);
    const store = async (): Promise<SendResult> =>
      (await updateBlockStored(pool, block, sum)) ? 'stored' : 'again';
    const before = await archive.findBlock(place);
    if (isSame(before, sum)) return { result: await store(), rows: sum.rows };
    if (before.rows > 0) {
      if (await addAttempt(pool, block)) await archive.deleteBlock(place);
      return { result: 'again', rows: 0 };
    }
    const rows = client.query(copyTo(copyOfBlock(blockColumns(number), events)));
    // Where the insert fails, the connection ends with the stream, whose error is that of the insert.
    rows.on('error', () => {});
    await archive.insertBlock({ ...place, token: `${installationId}/${number}/${attempt}` }, rows);
    if (isSame(await archive.findBlock(place), sum)) return { result: await store(), rows: sum.rows };
    // The engine may have dropped the rows under a token that it knew.
    await addAttempt(pool, block);
    return { result: 'different', rows: sum.rows };
  });
}

function isSame(one: HeldBlock, other: HeldBlock): boolean {
  return one.rows === other.rows && one.hash === other.hash;
}

/** The ones of these ids that other blocks of the archive have. */
async function findHeld(
  archive: EventArchive,
  place: { number: number; weekMs: number },
  ids: readonly string[],
): Promise<string[]> {
  const held: string[] = [];
  for (let from = 0; from < ids.length; from += ASKED_IDS)
    for (const id of await listHeldIds(archive, place, ids.slice(from, from + ASKED_IDS))) held.push(id);
  return held;
}
