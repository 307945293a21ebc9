/*
 * Rows of a block as PostgreSQL writes them and ClickHouse reads them, and the hash that both compute of them. A row of `COPY` in
 * PostgreSQL's text format is a row of `TabSeparated`: `changed` alone is written in another way.
 */

/** Columns of an inserted row, in order. */
export const BLOCK_COLUMNS = [
  'event_id',
  'organization_id',
  'project_id',
  'received_at',
  'severity',
  'type',
  'source',
  'message',
  'correlation_id',
  'fingerprint',
  'fingerprint_version',
  'release',
  'environment',
  'is_alert',
  'failed_payment',
  'amount',
  'currency',
  'changed',
  'scrubbed',
  'weight',
  'correlation',
  'payload',
  'block',
] as const;

const WRITTEN: Partial<Record<(typeof BLOCK_COLUMNS)[number], string>> = {
  event_id: 'id',
  changed: `'[' || coalesce('''' || array_to_string(changed, ''',''') || '''', '') || ']'`,
};

/**
 * SQL of these columns for events of PostgreSQL.
 * @param block number of the block, a literal: COPY takes no parameters
 */
export const blockColumns = (block: number) =>
  BLOCK_COLUMNS.map((column) => (column === 'block' ? String(block) : (WRITTEN[column] ?? column))).join(
    ', ',
  );

const MILLISECONDS = '(extract(epoch FROM received_at) * 1000)::bigint';

/** SQL of the sum of the hashes of events in PostgreSQL: a text. Each column counts. */
export const HASH_IN_POSTGRES = `coalesce(sum(('x' || left(md5(concat_ws('|', replace(id::text, '-', ''), organization_id, project_id, ${MILLISECONDS}, severity, type,
  coalesce(source, '-'), message, correlation_id, fingerprint, fingerprint_version, coalesce(release, '-'), environment,
  coalesce(is_alert::text, '-'), coalesce(failed_payment::text, '-'), coalesce(amount::text, '-'), coalesce(currency, '-'),
  coalesce(array_to_string(changed, ','), ''), coalesce(scrubbed::text, '-'), coalesce(weight::text, '-'), correlation, payload)), 8)
  )::bit(32)::bigint), 0)::text`;

/** The same in ClickHouse. */
export const HASH_IN_CLICKHOUSE = `toString(sum(reinterpretAsUInt32(reverse(substring(MD5(arrayStringConcat([
  leftPad(lower(hex(id)), 32, '0'), toString(organization_id), toString(project_id),
  toString(toUnixTimestamp64Milli(received_at)), toString(severity), toString(type), toString(ifNull(source, '-')), message,
  correlation_id, fingerprint, toString(fingerprint_version), toString(ifNull(release, '-')), toString(environment),
  ifNull(toString(is_alert), '-'), ifNull(toString(failed_payment), '-'), ifNull(toString(amount), '-'), toString(ifNull(currency, '-')),
  arrayStringConcat(changed, ','), ifNull(scrubbed, '-'), ifNull(toString(weight), '-'), correlation, payload], '|')), 1, 4)))))`;
