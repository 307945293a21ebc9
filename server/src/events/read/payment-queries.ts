import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { findGroupFingerprints } from '../group-queries.ts';
import type { AddedPayments, PaymentRange } from '../read-types.ts';
import { isOfSeries } from '../series-condition.ts';
import { all, bind, LEADS_NOWHERE } from '../where.ts';

/** Adds up the newest failed payments among events by currency, that of the most payments first. */
export async function addFailedPayments(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series, fromMs, untilMs, maxRead }: PaymentRange,
): Promise<AddedPayments[]> {
  const values: unknown[] = [organizationId, projectId, uuidLowerBound(fromMs)];
  const range = ['organization_id = $1', 'project_id = $2', 'id >= $3', 'failed_payment'];
  if (untilMs !== null) range.push(`id < ${bind(values, uuidLowerBound(untilMs + 1))}`);
  const found: string[] = [];
  if (groupId !== null) {
    const group = await findGroupFingerprints(database, organizationId, groupId);
    found.push(
      group?.fingerprints ? `fingerprint = ANY (${bind(values, group.fingerprints)}::text[])` : LEADS_NOWHERE,
    );
  } else if (series)
    found.push(isOfSeries(bind(values, JSON.stringify([series])), 'events'), isEvidence('$2'));
  const { rows } = await database.query<AddedPayments>(
    `WITH read AS MATERIALIZED (
        SELECT id, amount, currency, ${all(found)} AS is_found FROM events
        WHERE ${all(range)} ORDER BY id DESC LIMIT ${maxRead + 1}
      ), beyond AS MATERIALIZED (
        SELECT id FROM read ORDER BY id DESC OFFSET ${maxRead}
      )
      SELECT currency, count(*) AS count, sum(amount)::text AS amount,
        (SELECT read.id FROM read JOIN beyond ON read.id > beyond.id ORDER BY read.id LIMIT 1) AS "firstId"
      FROM read WHERE is_found AND NOT EXISTS (SELECT FROM beyond WHERE id = read.id) GROUP BY 1 ORDER BY 2 DESC, sum(amount) DESC, 1`,
    values,
  );
  return rows;
}
