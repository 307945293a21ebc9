import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

/** Maximum failed payments that are added up for a group. */
const MAX_PAYMENTS = 10_000;

describe('the failed payments of a group', async () => {
  const service = await startTestService();
  const { pool } = service.database;

  const groupOf = async (user: TestUser, projectId: string, count: number) =>
    waitFor('all payments to be counted', async () => {
      const { body } = await user.api.get(`/groups?project_id=${projectId}&q=charge.failed`);
      return body[0]?.count === count && (await user.api.get(`/groups/${body[0].id}`)).body;
    });

  it('sums the amounts of a group’s failed payments by currency, and counts those without one apart', async () => {
    const user = await service.signUp();
    const { id, ingest } = await user.createProject();
    const sent = [
      { amount: 1_999, currency: 'eur' },
      { amount: 1_999, currency: 'EUR' },
      { amount: 1_234, currency: 'kwd' },
      { amount: -5, currency: 'eur' },
      { amount: 5 },
    ];
    for (const object of sent)
      expect(
        (await ingest.post('/ingest/payments', { type: 'charge.failed', data: { object } })).status,
      ).toBe(202);
    const paid = { type: 'charge.succeeded', data: { object: { amount: 7, currency: 'eur' } } };
    expect((await ingest.post('/ingest/payments', paid)).status).toBe(202);
    expect((await groupOf(user, id, sent.length)).failedPayments).toMatchObject({
      count: 5,
      amounts: [
        { currency: 'EUR', amount: '39.98', count: 2 },
        { currency: 'KWD', amount: '1.234', count: 1 },
      ],
      from: null,
      text: '5 failed payments, €39.98 + KWD\u00A01.234 in 3 of them',
    });
  });

  it('adds up the newest failed payments of a group to a bound, and says from when on', async () => {
    const user = await service.signUp();
    const { id, ingest } = await user.createProject();
    const failed = { type: 'charge.failed', data: { amount: 100, currency: 'usd' } };
    expect((await ingest.post('/ingest/payments', failed)).status).toBe(202);
    const { id: groupId } = await groupOf(user, id, 1);
    await pool.query(
      `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message,
          correlation_id, fingerprint, release, correlation, payload, failed_payment, amount, currency)
        SELECT (substring(e.id::text FOR 24) || lpad(to_hex(n), 12, '0'))::uuid, organization_id, project_id,
          received_at, severity, type, source, message, correlation_id, fingerprint, release, correlation, payload,
          failed_payment, amount, currency
        FROM events AS e CROSS JOIN generate_series(1, $2::int) AS n WHERE project_id = $1`,
      [toUuid('proj', id), MAX_PAYMENTS - 1],
    );
    const { body } = await user.api.get(`/groups/${groupId}`);
    expect(body.failedPayments).toMatchObject({
      count: MAX_PAYMENTS,
      from: null,
      text: '10,000 failed payments, $10,000',
    });
    expect((await ingest.post('/ingest/payments', failed)).status).toBe(202);
    expect((await groupOf(user, id, 2)).failedPayments).toMatchObject({
      count: MAX_PAYMENTS,
      from: body.firstSeen,
      text: 'at least 10,000 failed payments, $10,000',
    });
  });

  it('answers no failed payments for a group of other events', async () => {
    const user = await service.signUp();
    const { id, ingest } = await user.createProject();
    const event = {
      type: 'checkout',
      severity: 'ERROR',
      message: 'charge.failed',
      payload: { amount: 1, currency: 'eur' },
    };
    expect((await ingest.post('/ingest/events', event)).status).toBe(202);
    expect((await groupOf(user, id, 1)).failedPayments).toBeNull();
  });
});
