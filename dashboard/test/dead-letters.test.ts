import { expect, it } from 'vitest';
import { aQueuedEvent, storeBatch } from '../../server/test/processing/support.ts';
import { startTestService, visit } from './support/browser.ts';
import { chooseAction } from './support/choose.ts';

const service = await startTestService();

it('leads an owner from the notice to dead letters, which are shown, stored again and discarded', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject('Shop');
  const poison = { ...aQueuedEvent(id), severity: 'none', message: 'The till is closed\0' };
  await storeBatch(service, id, [poison, { ...aQueuedEvent(id), severity: 'none', message: 'Sold out' }]);
  const { page, open } = await visit(service, user);
  await open('/');
  await page.getByRole('link', { name: 'View dead letters' }).click();
  const rows = page.getByRole('table', { name: 'Dead letters' }).getByRole('row');
  await rows.filter({ hasText: 'Sold out' }).getByText('(22P02)').waitFor();

  await page.getByRole('button', { name: 'Show Sold out' }).click();
  await page.getByRole('dialog', { name: 'Event as received' }).getByText('"severity": "none"').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  // The database refuses it again.
  await chooseAction(page, 'Sold out', 'Store again');
  await page.getByText('1 dead letter queued.').waitFor();
  await rows.filter({ hasText: 'Sold out' }).waitFor();

  await chooseAction(page, 'Sold out', 'Discard');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByText('1 dead letter discarded').waitFor();
  await rows.filter({ hasText: 'Sold out' }).waitFor({ state: 'detached' });
  await rows.filter({ hasText: 'The till is closed' }).waitFor();

  await chooseAction(page, 'all dead letters', 'Discard all');
  await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click();
  await page.getByText('No dead letters.').waitFor();
  await page.getByRole('link', { name: 'View dead letters' }).waitFor({ state: 'detached' });
  const { dead, dropped } = (await user.api.get(`/projects/${id}/ledger`)).body;
  expect({ dead, dropped }).toEqual({ dead: 0, dropped: 2 });
});
