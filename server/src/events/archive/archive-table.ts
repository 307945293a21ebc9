/** Names and engine of the archive's tables: one node, or the shards of a cluster. */
export interface ArchiveTable {
  /** Table that is read and inserted into. */
  events: string;
  /** Table that holds the rows: rows and partitions are removed from it. */
  stored: string;
  /** Clause of a statement that concerns every node. */
  onCluster: string;
  /** Values of the placeholders in the files of `server/archive-migrations`. */
  placeholders: Readonly<Record<'table' | 'on_cluster' | 'engine' | 'deduplication', string>>;
  /** Statements after those of a file, for a cluster. */
  distributed: readonly string[];
}

/** Blocks whose tokens an engine remembers. */
const REMEMBERED_BLOCKS = 10_000;

/** @param cluster name of a cluster in the configuration of ClickHouse; null: one node */
export function archiveTable(cluster: string | null): ArchiveTable {
  if (cluster === null)
    return {
      events: 'events',
      stored: 'events',
      onCluster: '',
      placeholders: {
        table: 'events',
        on_cluster: '',
        engine: 'MergeTree',
        deduplication: `non_replicated_deduplication_window = ${REMEMBERED_BLOCKS}`,
      },
      distributed: [],
    };
  const onCluster = `ON CLUSTER ${quoted(cluster)}`;
  return {
    events: 'events',
    stored: 'events_stored',
    onCluster,
    placeholders: {
      table: 'events_stored',
      on_cluster: onCluster,
      engine: "ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')",
      deduplication: `replicated_deduplication_window = ${REMEMBERED_BLOCKS}`,
    },
    distributed: [
      `CREATE TABLE IF NOT EXISTS events ${onCluster} AS events_stored
        ENGINE = Distributed(${quoted(cluster)}, currentDatabase(), events_stored, sipHash64(organization_id))`,
    ],
  };
}

function quoted(name: string): string {
  return `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
