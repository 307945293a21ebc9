import { expect, it } from 'vitest';
import { ScrubbedValues } from '../../src/ingestion/event/scrubbed-values.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const user = await service.signUp();

async function createCounted() {
  const { id } = await user.createProject();
  return {
    projectId: toUuid('proj', id) ?? '',
    countsOf: async () => (await user.api.get(`/projects/${id}/scrubbing/counts`)).body,
  };
}

it('writes the counts of a statement that was cancelled the next time, with those since', async () => {
  const { projectId, countsOf } = await createCounted();
  const values = new ScrubbedValues();
  values.add(projectId, { key: 2, card: 1 });
  const impatient = service.context.createPool('tocsin-impatient', { statementTimeoutMs: 50 });
  const deletion = await beginHeldTransaction(service.database.pool);
  try {
    await deletion.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [projectId]);
    await expect(values.flush({ ...service.context, pool: impatient })).rejects.toThrow();
  } finally {
    await deletion.query('ROLLBACK');
    deletion.release();
    await impatient.end();
  }
  values.add(projectId, { key: 3 });
  await values.flush(service.context);
  expect(await countsOf()).toMatchObject([
    { rule: 'key', quantity: 5 },
    { rule: 'card', quantity: 1 },
  ]);
});

it('leaves counts out that the database refuses, and writes those since', async () => {
  const { projectId, countsOf } = await createCounted();
  const values = new ScrubbedValues();
  // No number of the column.
  values.add(projectId, { key: 0.5 });
  await expect(values.flush(service.context)).rejects.toThrow();
  values.add(projectId, { key: 1 });
  await values.flush(service.context);
  expect(await countsOf()).toMatchObject([{ rule: 'key', quantity: 1 }]);
});
