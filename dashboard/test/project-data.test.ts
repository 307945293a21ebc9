import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';

describe('the data of a project and its limits', async () => {
  const service = await startTestService();

  it('changes which secrets of a project are replaced', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject('Shop');
    const { page, open } = await visit(service, user);
    await open(`/projects/${id}`);
    await page.getByRole('link', { name: 'Data and limits' }).click();
    await page.getByLabel('Additional secret fields').fill('tax id, PESEL,');
    await page.getByLabel('Card numbers').uncheck();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Saved').waitFor();
    const scrubbing = { names: ['tax id', 'PESEL'], off: ['card'] };
    expect((await user.api.get(`/projects/${id}`)).body.scrubbing).toEqual(scrubbing);
    await open(`/projects/${id}/data`);
    expect(await page.getByLabel('Additional secret fields').inputValue()).toBe('tax id, PESEL');
    expect(await page.getByLabel('Card numbers').isChecked()).toBe(false);
    await page.getByLabel('Additional secret fields').fill('1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('alert').waitFor();
  });
});
