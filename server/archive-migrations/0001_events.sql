-- Events of weeks that are over. The key sorts as PostgreSQL does: `id` is a number, since a UUID sorts by its second half.
CREATE TABLE IF NOT EXISTS {table} {on_cluster} (
  -- As it is inserted; not kept.
  event_id UUID EPHEMERAL,
  id UInt128 DEFAULT toUInt128(event_id) CODEC(ZSTD(1)),
  -- Time of capture, the first 48 bits of the id.
  at DateTime64(3, 'UTC') MATERIALIZED fromUnixTimestamp64Milli(toInt64(bitShiftRight(id, 80)), 'UTC') CODEC(Delta(8), ZSTD(1)),
  organization_id UUID CODEC(ZSTD(1)),
  project_id UUID CODEC(ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  severity Enum8('info' = 1, 'warn' = 2, 'error' = 3, 'critical' = 4) CODEC(ZSTD(1)),
  type LowCardinality(String) CODEC(ZSTD(1)),
  source LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
  message String CODEC(ZSTD(3)),
  correlation_id String CODEC(ZSTD(1)),
  fingerprint String CODEC(ZSTD(1)),
  fingerprint_version Int16 CODEC(ZSTD(1)),
  release LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
  environment Int16 CODEC(ZSTD(1)),
  is_alert Nullable(Bool) CODEC(ZSTD(1)),
  failed_payment Nullable(Bool) CODEC(ZSTD(1)),
  amount Nullable(Int64) CODEC(ZSTD(1)),
  currency LowCardinality(Nullable(String)) CODEC(ZSTD(1)),
  -- Empty: the event is stored as sent.
  changed Array(LowCardinality(String)) CODEC(ZSTD(1)),
  scrubbed Nullable(String) CODEC(ZSTD(1)),
  weight Nullable(Int32) CODEC(ZSTD(1)),
  correlation String CODEC(ZSTD(3)),
  payload String CODEC(ZSTD(3)),
  -- Values of the correlation as texts, those that are null left out.
  values Array(String) MATERIALIZED arrayDistinct(arrayMap(pair -> pair.2, JSONExtractKeysAndValues(correlation, 'String'))) CODEC(ZSTD(1)),
  -- Number of the block that brought it.
  block UInt64 CODEC(ZSTD(1)),
  INDEX by_id id TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX by_project project_id TYPE set(100) GRANULARITY 1,
  INDEX by_severity severity TYPE set(4) GRANULARITY 1,
  INDEX by_type type TYPE set(200) GRANULARITY 1,
  INDEX by_source source TYPE set(200) GRANULARITY 1,
  INDEX by_release release TYPE set(200) GRANULARITY 1,
  INDEX by_correlation correlation_id TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX by_fingerprint fingerprint TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_value values TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX by_block block TYPE minmax GRANULARITY 1
) ENGINE = {engine}
PARTITION BY toMonday(at)
ORDER BY (organization_id, at, id)
SETTINGS {deduplication}, fsync_after_insert = 1, fsync_part_directory = 1;
