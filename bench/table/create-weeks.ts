import type { connect } from '../support/database.ts';

/** Creates the partitions of events of this week and those before it. */
export async function createWeeks(client: Awaited<ReturnType<typeof connect>>, weeks: number): Promise<void> {
  const { rows } = await client.query<{ name: string; day: string }>(
    `SELECT 'events_' || to_char(day, 'YYYYMMDD') AS name, to_char(day, 'YYYY-MM-DD') AS day
      FROM generate_series(date_trunc('week', now() AT TIME ZONE 'UTC') - make_interval(weeks => ${weeks - 1}),
        now() AT TIME ZONE 'UTC', interval '1 week') AS day`,
  );
  const bound = (day: string) =>
    `(lpad(to_hex((extract(epoch FROM ${day}) * 1000)::bigint), 12, '0') || repeat('0', 20))`;
  for (const { name, day } of rows) {
    const { rows: bounds } = await client.query<{ from: string; to: string }>(
      `SELECT ${bound(`'${day} Z'::timestamptz`)}::uuid AS from, ${bound(`'${day} Z'::timestamptz + interval '7 days'`)}::uuid AS to`,
    );
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF events FOR VALUES FROM ('${bounds[0]?.from}') TO ('${bounds[0]?.to}')`,
    );
  }
}
