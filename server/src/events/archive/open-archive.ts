import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { DAY_MS } from '../../platform/durations.ts';
import { endOfWeek } from '../weeks.ts';
import { ArchiveError } from './archive-error.ts';
import { migrateArchive } from './archive-migration-queries.ts';
import { type ArchiveTable, archiveTable } from './archive-table.ts';
import { BLOCK_COLUMNS, HASH_IN_CLICKHOUSE } from './block-rows.ts';
import type { ArchiveParameters, BlockPlace, EventArchive, HeldBlock } from './event-archive.ts';

/** Maximum wait for an answer of a statement that writes. */
const WRITE_TIMEOUT_MS = 120_000;
/** Time beyond the engine's own limit that a read's answer may take on its way. */
const READ_MARGIN_MS = 1_000;
/** Codes of ClickHouse: TIMEOUT_EXCEEDED, and TOO_SLOW, which estimates that it will be. */
const SLOW_CODES = new Set(['159', '160']);

/**
 * Opens the archive on ClickHouse; nothing is asked of it yet. Its client is loaded by this call alone.
 * @param url HTTP address with user, password and database, such as `https://tocsin:…@archive:8443/tocsin`
 * @param cluster name of a cluster, whose shards hold organizations; null: one node
 */
export async function openArchive(url: string, cluster: string | null = null): Promise<EventArchive> {
  const { createClient } = await import('@clickhouse/client');
  const client = createClient({
    url,
    application: 'tocsin',
    request_timeout: WRITE_TIMEOUT_MS,
    // A condition may name thousands of fingerprints: an address holds fewer.
    use_multipart_params_auto: true,
    log: { level: 127 },
  });
  return archiveOn(client, archiveTable(cluster));
}

/** A write is acknowledged once it is durable: on this node's disk, or on a majority of the replicas. */
function writeSettings({ onCluster }: ArchiveTable): ClickHouseSettings {
  return {
    // Blocks would be joined, and their tokens mean something else.
    async_insert: 0,
    ...(onCluster && {
      insert_quorum: 'auto',
      distributed_foreground_insert: 1,
      distributed_ddl_output_mode: 'none',
    }),
  };
}

function archiveOn(client: ClickHouseClient, table: ArchiveTable): EventArchive {
  const command = async (
    query: string,
    parameters: ArchiveParameters = {},
    settings: ClickHouseSettings = {},
  ) => {
    await client
      .command({
        query,
        query_params: parameters,
        clickhouse_settings: { ...writeSettings(table), ...settings },
      })
      .catch(refuse);
  };
  const query: EventArchive['query'] = async <Row>(
    sql: string,
    parameters: ArchiveParameters,
    { maxRunMs, signal }: { maxRunMs: number; signal?: AbortSignal },
  ) => {
    const late = AbortSignal.timeout(Math.ceil(maxRunMs) + READ_MARGIN_MS);
    try {
      const result = await client.query({
        query: sql,
        query_params: parameters,
        format: 'JSONEachRow',
        abort_signal: signal ? AbortSignal.any([signal, late]) : late,
        clickhouse_settings: {
          max_execution_time: Math.max(maxRunMs, 1) / 1000,
          output_format_json_quote_64bit_integers: 0,
        },
      });
      return await result.json<Row>();
    } catch (error) {
      signal?.throwIfAborted();
      if (late.aborted)
        throw new ArchiveError('The archive does not answer in time.', { cause: error, isSilent: true });
      return refuse(error);
    }
  };
  const asked = { maxRunMs: WRITE_TIMEOUT_MS };
  /** Removes rows. A removal that takes longer than the client waits goes on: until it ends, no further one is sent. */
  const remove = async (statement: string, parameters: ArchiveParameters) => {
    const [unfinished] = await query<{ reason: string }>(
      `SELECT latest_fail_reason AS reason FROM system.mutations
        WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done LIMIT 1`,
      { table: table.stored },
      asked,
    );
    if (unfinished)
      throw new ArchiveError('The archive still removes events.', { cause: new Error(unfinished.reason) });
    await command(statement, parameters, { mutations_sync: '2' });
  };
  return {
    query,
    migrate: () => migrateArchive({ command, query: (sql) => query(sql, {}, asked) }, table),
    async insertBlock({ number, token }, rows) {
      await client
        .insert({
          table: table.events,
          columns: [...BLOCK_COLUMNS],
          values: rows,
          format: 'TabSeparated',
          clickhouse_settings: {
            ...writeSettings(table),
            insert_deduplication_token: token,
            date_time_input_format: 'best_effort',
          },
        })
        .catch((error: unknown) => refuse(error, `The archive does not take block ${number}.`));
    },
    async findBlock(block) {
      const [found] = await query<{ rows: number; hash: string }>(
        `SELECT count() AS rows, ${HASH_IN_CLICKHOUSE} AS hash FROM events WHERE ${ofBlock}`,
        boundsOf(block),
        asked,
      );
      return found ?? ({ rows: 0, hash: '0' } satisfies HeldBlock);
    },
    deleteBlock: (block) =>
      remove(`DELETE FROM ${table.stored} ${table.onCluster} WHERE ${ofBlock}`, boundsOf(block)),
    dropWeek: (weekMs) =>
      command(`ALTER TABLE ${table.stored} ${table.onCluster} DROP PARTITION '${dayOf(weekMs)}'`),
    deleteEvents: (where, parameters) =>
      remove(`ALTER TABLE ${table.stored} ${table.onCluster} DELETE WHERE ${where}`, parameters),
    async listWeeks() {
      const weeks = await query<{ weekMs: number }>(
        'SELECT DISTINCT toUnixTimestamp(toMonday(at)) * 1000 AS "weekMs" FROM events ORDER BY 1',
        {},
        asked,
      );
      return weeks.map(({ weekMs }) => weekMs);
    },
    close: () => client.close(),
  };
}

const ofBlock =
  'block = {block:UInt64} AND at >= fromUnixTimestamp64Milli({from:Int64}) AND at < fromUnixTimestamp64Milli({until:Int64})';

function boundsOf({ number, weekMs }: BlockPlace): ArchiveParameters {
  return { block: number, from: weekMs, until: endOfWeek(weekMs) };
}

/** `2026-11-16` */
function dayOf(weekMs: number): string {
  return new Date(Math.floor(weekMs / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
}

function refuse(error: unknown, sentence = 'The archive does not answer.'): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Codes of ClickHouse are numbers; the others are those of connections.
  const isSilent = !/^\d+$/.test(code);
  throw new ArchiveError(sentence, { cause: error, isSlow: SLOW_CODES.has(code), isSilent });
}
