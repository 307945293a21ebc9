import { expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { createRoute, createWebhook } from '../support/webhook-target.ts';

const service = await startTestService();

it('opens an incident while one of its targets is deleted', async () => {
  const user = await service.signUp();
  const { id: projectId } = await user.createProject();
  const [kept, removed] = await Promise.all(
    ['Kept', 'Removed'].map(async (name) => {
      const { id } = await createWebhook(user, { url: 'https://example.com/hook' }, { name });
      await createRoute(user, id);
      return id;
    }),
  );
  const { pool } = service.database;
  const deleting = await beginHeldTransaction(pool);
  try {
    await deleting.query('DELETE FROM notification_targets WHERE id = $1', [toUuid('ntg', removed ?? '')]);
    const opening = user.api.post('/incidents', { title: 'Down', severity: 'error', projectId });
    await waitFor('the incident to wait for the deletion', async () => {
      const { rows } = await pool.query('SELECT 1 FROM pg_locks WHERE NOT granted LIMIT 1');
      return rows.length > 0;
    });
    await deleting.query('COMMIT');
    const { status, body } = await opening;
    expect(status).toBe(201);
    const { body: deliveries } = await user.api.get(`/incidents/${body.id}/deliveries`);
    expect(deliveries.map(({ targetId }: { targetId: string }) => targetId)).toEqual([kept]);
  } finally {
    deleting.release();
  }
});
