import { expect, it } from 'vitest';
import { inPlainTransaction } from '../../src/database/database.ts';
import { setIdleTimeout } from '../../src/risk/live/queries.ts';
import { createTestDatabase } from '../support/database.ts';

it('does not end a long round by the idle limit of other transactions', async () => {
  const { pool } = await createTestDatabase();
  const findLimit = async (database: Pick<typeof pool, 'query'>) => {
    const { rows } = await database.query(
      `SELECT current_setting('idle_in_transaction_session_timeout') AS value`,
    );
    return rows[0]?.value as string;
  };
  const within = await inPlainTransaction(pool, async (transaction) => {
    await setIdleTimeout(transaction);
    return findLimit(transaction);
  });
  expect(within).toBe('10min');
  expect(await findLimit(pool)).toBe('10s');
});
