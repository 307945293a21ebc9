import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { chooseAction } from './support/choose.ts';
import { userWith } from './support/events.ts';

describe('the data of a project and its limits', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const inside = await visit(service, user);

  /** Opens the data and limits of a project anew, in the document of the test before. */
  async function openData(id: string) {
    await inside.go('/projects');
    await inside.go(`/projects/${id}/data`);
    return inside;
  }

  it('changes which secrets of a project are replaced', async () => {
    const { id, ingest } = await user.createProject('Shop');
    await ingest.post('/ingest/events', {
      type: 'order',
      severity: 'INFO',
      message: 'Paid',
      payload: { taxId: 'DE/345' },
    });
    await service.settled();
    const { page, open, go } = inside;
    await go(`/projects/${id}`);
    await chooseAction(page, 'Shop', 'Data and limits');
    const secrets = page.getByRole('region', { name: 'Secrets and personal data' });
    await page.getByLabel('Additional secret fields').fill('tax id, PESEL,');
    await secrets.getByRole('button', { name: 'Preview' }).click();
    const row = page.getByRole('table', { name: 'Preview on past events' }).getByRole('row');
    await row.filter({ hasText: 'Secret fields' }).getByText('payload.taxId (1 event)').waitFor();
    // The preview is gone once it is one of other choices.
    await page.getByLabel('Card numbers').uncheck();
    await row.first().waitFor({ state: 'detached' });
    await page.getByLabel('Fields to keep').fill('session id');
    await page.getByLabel('Email addresses').check();
    await secrets.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Saved').waitFor();
    const names = ['tax id', 'PESEL'];
    const scrubbing = { names, safe: ['session id'], off: ['card'], personal: ['email'] };
    expect((await user.api.get(`/projects/${id}`)).body.scrubbing).toEqual(scrubbing);
    await open(`/projects/${id}/data`);
    expect(await page.getByLabel('Additional secret fields').inputValue()).toBe('tax id, PESEL');
    expect(await page.getByLabel('Card numbers').isChecked()).toBe(false);
    expect(await page.getByLabel('Fields to keep').inputValue()).toBe('session id');
    expect(await page.getByLabel('Email addresses').isChecked()).toBe(true);
    expect(await page.getByLabel('IP addresses').isChecked()).toBe(false);
    for (const [typed, message] of [
      ['tax id, 1', '“1” isn’t a valid name. Use 2 to 64 characters with at least one letter.'],
      [Array.from({ length: 51 }, (_, index) => `name${index}`).join(), 'Enter at most 50 names.'],
    ] as const) {
      for (const label of ['Additional secret fields', 'Fields to keep']) {
        await openData(id);
        await page.getByLabel(label).fill(typed);
        await secrets.getByRole('button', { name: 'Apply' }).click();
        await secrets.getByText(message).waitFor();
      }
    }
    expect((await user.api.get(`/projects/${id}`)).body.scrubbing).toEqual(scrubbing);
  });

  it('erases a user after a preview, once the value is typed, and shows what it cannot reach', async () => {
    const { id, ingest } = await user.createProject('Shop');
    const correlation = { user_id: 'usr_4711' };
    await ingest.post('/ingest/events', { type: 'a', severity: 'INFO', message: 'Hello', correlation });
    await service.settled();
    const { page } = await openData(id);
    await page.getByRole('region', { name: 'Erasure' }).getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Enter the value to erase.').waitFor();
    await page.getByLabel('Key', { exact: true }).fill('user_id');
    await page.getByLabel('Value', { exact: true }).fill('usr_4711');
    await page.getByRole('region', { name: 'Erasure' }).getByRole('button', { name: 'Preview' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This deletes 1 event with this correlation value, and 0 dead letters').waitFor();
    const erase = dialog.getByRole('button', { name: 'Erase' });
    expect(await erase.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('usr_4711');
    await erase.click();
    await page.getByText('Done · 1 event and 0 dead letters deleted').waitFor();
    await page.getByText(/^Requested on .+ by .+/).waitFor();
    await page.getByText('May still contain the value').click();
    await page.getByText('Earlier backups').waitFor();
    expect((await user.api.get(`/events?project_id=${id}`)).body).toEqual([]);
  });

  it('shows the limits of a project to a MEMBER, who cannot change them', async () => {
    const owner = await service.signUp();
    const { id } = await owner.createProject('Shop');
    await owner.api.patch(`/projects/${id}`, { retention: { info: 7 }, sampleAbove: 1_000 });
    await owner.api.patch(`/projects/${id}/quotas`, { perDay: 5_000 });
    const { page, open } = await visit(service, await owner.addMember());
    await open(`/projects/${id}/data`);
    await page.getByText('Only owners can change retention').waitFor();
    const fields = { 'Days for info': '7', 'Events a day': '5000', 'Events kept per group and hour': '1000' };
    for (const [label, value] of Object.entries(fields)) {
      expect(await page.getByLabel(label).inputValue()).toBe(value);
      expect(await page.getByLabel(label).isEditable()).toBe(false);
    }
    for (const name of ['Retention', 'Quotas', 'Storms'])
      expect(
        await page.getByRole('region', { name, exact: true }).locator('button[type=submit]').count(),
      ).toBe(0);
  });

  it('tells a MEMBER that only an OWNER can erase', async () => {
    const owner = await service.signUp();
    const { id } = await owner.createProject('Shop');
    const member = await owner.addMember();
    const { page, open } = await visit(service, member);
    await open(`/projects/${id}/data`);
    await page.getByText('Only owners can erase data.').waitFor();
    expect(
      await page.getByRole('region', { name: 'Erasure' }).getByRole('button', { name: 'Preview' }).count(),
    ).toBe(0);
  });

  it('removes older events of a severity after a warning that counts them', async () => {
    const capturedAt = (days: number) =>
      new Date(service.context.clock.now() - days * 86_400_000).toISOString();
    const { user: owner, projectId: id } = await userWith(service, [
      ...[0, 3, 5].map((days) => ({ message: 'Order', capturedAt: capturedAt(days) })),
      { message: 'Order', severity: 'ERROR', capturedAt: capturedAt(5) },
    ]);
    const { page, open } = await visit(service, owner);
    await open(`/projects/${id}/data`);
    const retention = page.getByRole('region', { name: 'Retention' });
    await retention.getByText('3 events now').waitFor();
    await retention.getByLabel('Days for info').fill('91');
    await retention.getByRole('button', { name: 'Apply' }).click();
    await retention.getByText('Enter a number from 1 to 90, or leave empty.').waitFor();
    await retention.getByLabel('Days for info').fill('1');
    await retention.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog').getByText('This removes about 2 events').waitFor();
    expect((await owner.api.get(`/projects/${id}`)).body.retention).toEqual({});
    await page.getByRole('dialog').getByRole('button', { name: 'Remove events' }).click();
    await page.getByText('Saved').waitFor();
    await retention.getByText('3 events now').waitFor({ state: 'detached' });
    expect((await owner.api.get(`/projects/${id}`)).body.retention).toEqual({ info: 1 });
    // To keep them again needs no warning.
    await retention.getByLabel('Days for info').fill('');
    await retention.getByRole('button', { name: 'Apply' }).click();
    await retention.getByText('3 events now').waitFor();
    expect((await owner.api.get(`/projects/${id}`)).body.retention).toEqual({});
  });

  it('keeps samples of storms, and says in the list and on an event how many events one stands for', async () => {
    const { id, ingest } = await user.createProject('Shop');
    const { page, open } = await openData(id);
    const above = page.getByLabel('Events kept per group and hour');
    const save = page.getByRole('button', { name: 'Save storm limit' });
    const choose = async (text: string) => {
      await above.fill(text);
      await save.click();
    };
    expect(await above.inputValue()).toBe('');
    for (const wrong of ['some', '50', '150', '1,000,100']) {
      await openData(id);
      await choose(wrong);
      await page.getByText('Enter a multiple of 100 up to 1,000,000, or leave empty.').waitFor();
    }
    expect((await user.api.get(`/projects/${id}`)).body.sampleAbove).toBeNull();
    await choose('100');
    await page.getByText('Saved').waitFor();
    expect((await user.api.get(`/projects/${id}`)).body.sampleAbove).toBe(100);

    const event = { type: 'crash', severity: 'WARN', message: 'The worker crashed' };
    expect(
      (
        await ingest.post(
          '/ingest/bulk',
          Array.from({ length: 202 }, () => event),
        )
      ).status,
    ).toBe(202);
    await service.settled();
    await open(`/events?project=${id}`);
    const row = page.getByRole('row').filter({ hasText: '1 of 2 (represents 2 events)' }).first();
    await row.click();
    await page.getByText('1 of 2 (represents 2 events)').last().waitFor();
    await open(`/projects/${id}`);
    await page.getByTitle('Counted, not kept').getByText('52').waitFor();
  });
});
