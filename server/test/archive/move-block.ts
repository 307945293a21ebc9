import { Readable } from 'node:stream';
import { to as copyTo } from 'pg-copy-streams';
import type { Pool } from '../../src/database/database.ts';
import { blockColumns, HASH_IN_POSTGRES } from '../../src/events/archive/block-rows.ts';
import type { BlockPlace, EventArchive, HeldBlock } from '../../src/events/archive/event-archive.ts';
import { endOfWeek } from '../../src/events/weeks.ts';
import { uuidLowerBound } from '../../src/platform/ids.ts';

/** Copies the events of a week into the archive as one block, as they are at this moment. */
export async function copyWeek(
  pool: Pool,
  archive: EventArchive,
  block: BlockPlace,
  token = `test/${block.number}`,
) {
  const rows = await readBlock(pool, block);
  await archive.insertBlock({ ...block, token }, Readable.from([rows], { objectMode: false }));
}

/** The rows of a block as they are inserted. */
export async function readBlock(pool: Pool, block: BlockPlace): Promise<Buffer> {
  const client = await pool.connect();
  try {
    const columns = blockColumns(block.number);
    const rows = client.query(
      copyTo(`COPY (SELECT ${columns} FROM events WHERE ${ofWeek(block.weekMs)} ORDER BY id) TO STDOUT`),
    );
    return Buffer.concat(await rows.toArray());
  } finally {
    client.release();
  }
}

/** The events of a week as the database has them. */
export async function findHeld(pool: Pool, weekMs: number): Promise<HeldBlock> {
  const { rows } = await pool.query<HeldBlock>(
    `SELECT count(*) AS rows, ${HASH_IN_POSTGRES} AS hash FROM events WHERE ${ofWeek(weekMs)}`,
  );
  return rows[0] ?? { rows: 0, hash: '0' };
}

function ofWeek(weekMs: number): string {
  return `id >= '${uuidLowerBound(weekMs)}' AND id < '${uuidLowerBound(endOfWeek(weekMs))}'`;
}
