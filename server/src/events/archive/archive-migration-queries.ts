import { ArchiveError } from './archive-error.ts';
import type { ArchiveTable } from './archive-table.ts';
import type { ArchiveParameters } from './event-archive.ts';
import { readArchiveMigrations } from './read-archive-migrations.ts';

interface ArchiveStatements {
  command(sql: string, parameters?: ArchiveParameters): Promise<void>;
  query<Row>(sql: string): Promise<Row[]>;
}

/**
 * Applies the files that are missing. Each of their statements may run twice.
 * @returns the names of the files applied now
 * @throws ArchiveError if an applied file differs from the program's
 */
export async function migrateArchive(
  archive: ArchiveStatements,
  { onCluster, placeholders, distributed }: ArchiveTable,
): Promise<string[]> {
  const engine = onCluster
    ? "ReplicatedMergeTree('/clickhouse/tables/{database}/{table}', '{shard}-{replica}')"
    : 'MergeTree';
  await archive.command(
    `CREATE TABLE IF NOT EXISTS archive_migrations ${onCluster}
      (version UInt32, name String, checksum String, applied_at DateTime DEFAULT now()) ENGINE = ${engine} ORDER BY version`,
  );
  const rows = await archive.query<{ version: number; checksum: string }>(
    'SELECT version, checksum FROM archive_migrations',
  );
  const known = new Map(rows.map(({ version, checksum }) => [version, checksum]));
  const applied: string[] = [];
  for (const { version, name, checksum, statements } of await readArchiveMigrations()) {
    const before = known.get(version);
    if (before !== undefined && before !== checksum)
      throw new ArchiveError(`The migration ${name} differs from the one that was applied to the archive.`);
    if (before !== undefined) continue;
    for (const statement of [...statements, ...distributed])
      await archive.command(
        statement.replace(
          /\{(table|on_cluster|engine|deduplication)\}/g,
          (_, placeholder) =>
            // The pattern names the keys.
            placeholders[placeholder as keyof typeof placeholders],
        ),
      );
    await archive.command(
      'INSERT INTO archive_migrations (version, name, checksum) SELECT {version:UInt32}, {name:String}, {checksum:String}',
      { version, name, checksum },
    );
    applied.push(name);
  }
  return applied;
}
