import type { Queryable } from '../../database/database.ts';
import { type ArchivedRow, JSON_TEXTS } from './archived-row-queries.ts';

/** Rows that stand for the table of events. */
interface GivenRows {
  /** UUIDs of events in PostgreSQL. */
  ids: readonly string[];
  archived: readonly ArchivedRow[];
}

/**
 * A connection whose statements find these rows in place of the table of events: so every read of events has one form of SQL,
 * wherever they are kept. A row that both have counts once.
 */
export function overRows(database: Queryable, { ids, archived }: GivenRows): Queryable {
  const rows = toJson(archived);
  const query = (text: string, values: unknown[] = []) => {
    const place = values.length;
    const events = `still_held AS MATERIALIZED (
      SELECT * FROM events WHERE id = ANY ($${place + 1}::uuid[])
    ), events AS (
      SELECT * FROM still_held
      UNION ALL SELECT * FROM jsonb_populate_recordset(NULL::events, $${place + 2}::jsonb) AS archived
        WHERE NOT EXISTS (SELECT FROM still_held WHERE still_held.id = archived.id)
    )`;
    const [, rest] = /^\s*WITH\s([\s\S]*)$/.exec(text) ?? [];
    const whole = rest === undefined ? `WITH ${events} ${text}` : `WITH ${events}, ${rest}`;
    return database.query(whole, [...values, ids, rows]);
  };
  // The driver's type has forms for callbacks and streams, which no query function uses.
  return { query: query as Queryable['query'] };
}

/** Puts texts of JSON into JSON as they are, since parsing them would cost more and round numbers. */
function toJson(rows: readonly ArchivedRow[]): string {
  const objects = rows.map((row) => {
    const fields = Object.entries(row).map(([name, value]) => {
      const isText = typeof value === 'string' && JSON_TEXTS.includes(name);
      return `${JSON.stringify(name)}:${isText ? value : JSON.stringify(value)}`;
    });
    return `{${fields.join(',')}}`;
  });
  return `[${objects.join(',')}]`;
}
