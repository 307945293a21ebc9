import { describe, expect, it } from 'vitest';
import { reviewDueSchedules } from '../../server/test/support/worker-rounds.ts';
import { startTestService, visit } from './support/browser.ts';
import { chooseAction } from './support/choose.ts';
import { visitProjects } from './support/projects.ts';
import { expectStatus } from './support/seed.ts';

const service = await startTestService();

const { page, user, faults, nextProject, show } = await visitProjects(service, 6);

function setUp() {
  const project = nextProject();
  const path = `/projects/${project.id}/schedules`;
  return { project, path };
}

describe('the schedules of a project', () => {
  it('creates a schedule from the project, and shows its ping address with a line for a crontab', async () => {
    const { project, path } = setUp();
    await show(`/projects/${project.id}`);
    await chooseAction(page, 'Shop', 'Alerts');
    await page.getByRole('link', { name: 'Schedules' }).click();
    await page.getByText('No schedules yet').waitFor();
    await page.getByRole('button', { name: 'New schedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Name the job.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Nightly backup');
    await dialog.getByLabel('Cron expression').fill('0 3 * *');
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Is no cron expression of five fields, such as 0 3 * * *.').waitFor();
    await dialog.getByLabel('Cron expression').fill('0 3 * * *');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const address = await dialog.getByLabel('Ping address').inputValue();
    expect(await dialog.getByText(/^0 3 \* \* \* your-job/).textContent()).toContain(`${address}/fail`);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('waiting for the first check-in').waitFor();
    await page.getByText('0 3 * * * (Europe/Berlin)').last().waitFor();
    const { body } = await user.api.get(path);
    expect(body).toMatchObject([{ name: 'Nightly backup', graceSeconds: 300, maxRuntimeSeconds: 3_600 }]);
    expect(faults).toEqual([]);
  });

  it('shows the status of a job, its check-ins and its incident', async () => {
    const { project, path } = setUp();
    const job = { slug: 'report', name: 'Report', intervalSeconds: 3_600 };
    const { pingUrl } = (await expectStatus(201, user.api.post(path, job))).body;
    await expectStatus(200, project.ingest.post('/ingest/check-ins/report'));
    const failed = await fetch(new URL(`${new URL(pingUrl).pathname}/1`, service.ingestionUrl), {
      method: 'POST',
      body: 'No space left on device',
    });
    expect(failed.status).toBe(200);
    await reviewDueSchedules(service);
    await expect.poll(async () => (await user.api.get(path)).body[0].incidentId).toBeTruthy();
    await show(`/alerts/schedules?project=${project.id}`);
    await page.getByText('failing').waitFor();
    await page.getByText('every hour').last().waitFor();
    await chooseAction(page, 'Report', 'Check-ins');
    const rows = page.getByRole('dialog').getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.nth(0).textContent()).toContain('failed');
    await rows.nth(0).getByText('Output').click();
    await rows.nth(0).getByText('No space left on device').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Open incident' }).click();
    await page.getByRole('heading', { level: 1, name: 'Report failed' }).waitFor();
    await page.getByText('Report reported a failure at').first().waitFor();
    const checkIns = page.getByRole('list', { name: 'Check-ins' }).getByRole('listitem');
    await expect.poll(() => checkIns.count()).toBe(2);
    expect(await checkIns.first().innerText()).toContain('failed');
    const head = page.getByRole('main').locator('header');
    await head.getByText(/^\d+ (?:s|min) without a success · expected every hour$/).waitFor();
    const [{ nextDueAt }] = (await user.api.get(path)).body;
    const due = new Date(nextDueAt).toISOString().slice(11, 16);
    await head.getByText(new RegExp(`, ${due}$`)).waitFor();
    await page.getByText(/^curl .*\/ingest\/check-ins\/report$/).waitFor();
    await page.getByRole('button', { name: 'Silence this job…' }).click();
    await page.getByRole('dialog', { name: 'Silence this job' }).waitFor();
    expect(await page.getByRole('dialog').getByLabel('Scope').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByText('for one scheduled job, the project Shop').waitFor();
    const { body: silences } = await user.api.get('/silences');
    expect(silences).toMatchObject([{ projectId: project.id, scheduleId: expect.stringMatching(/^sch_/) }]);
    await page.getByRole('region', { name: 'Check-ins' }).getByRole('link', { name: 'Schedules' }).click();
    await page.getByRole('button', { name: 'Actions for Report' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/alerts/schedules');
    expect(faults).toEqual([]);
  });

  it('silences the project of an incident whose job was deleted', async () => {
    const user = await service.signUp();
    const project = await user.createProject('Shop');
    const path = `/projects/${project.id}/schedules`;
    const { page, open, faults } = await visit(service, user);
    const schedule = { slug: 'report', name: 'Report', intervalSeconds: 3_600 };
    const { body } = await expectStatus(201, user.api.post(path, schedule));
    await expectStatus(200, project.ingest.post('/ingest/check-ins/report', { status: 'error' }));
    await reviewDueSchedules(service);
    const read = async () => (await user.api.get(path)).body[0].incidentId;
    await expect.poll(read).toBeTruthy();
    const incidentId = await read();
    await expectStatus(204, user.api.delete(`${path}/${body.id}`));
    await open(`/incidents/${incidentId}`);
    // The timeline, which is read separately, has the same sentence.
    await page.getByText('The schedule was deleted.').first().waitFor();
    await page.getByRole('button', { name: 'Silence…' }).click();
    await page.getByRole('dialog', { name: 'Silence the whole project' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Silenced by/).waitFor();
    const { body: silences } = await user.api.get('/silences');
    expect(silences).toMatchObject([{ projectId: project.id, scheduleId: null }]);
    expect(faults).toEqual([]);
  });

  it('changes, pauses, resumes and deletes a schedule', async () => {
    const { project, path } = setUp();
    await expectStatus(201, user.api.post(path, { slug: 'report', name: 'Report', intervalSeconds: 3_600 }));
    const read = async () => (await user.api.get(path)).body[0];
    const act = (name: string) => chooseAction(page, 'Report', name);
    await show(`/alerts/schedules?project=${project.id}`);
    await act('Edit');
    await page.getByLabel('Every (minutes)').fill('90');
    await page.getByLabel('Maximum runtime (minutes)').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('every 90 minutes').last().waitFor();
    expect(await read()).toMatchObject({ intervalSeconds: 5_400, maxRuntimeSeconds: null });
    await act('Pause');
    await page.getByText('Report paused').waitFor();
    expect(await read()).toMatchObject({ paused: true });
    await act('Resume');
    await page.getByText('Report resumed').waitFor();
    await act('New ping address');
    await page.getByRole('button', { name: 'Replace address' }).click();
    expect(await page.getByLabel('Ping address', { exact: true }).inputValue()).toMatch(
      /\/ping\/tsn_ping_\w{38}$/,
    );
    await page.getByRole('button', { name: 'Done' }).click();
    await act('Delete');
    await page.getByRole('dialog').getByRole('textbox').fill('Report');
    await page.getByRole('button', { name: 'Delete schedule' }).click();
    await page.getByText('No schedules yet').waitFor();
    expect(await read()).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it.each([360, 768, 1280])(
    'covers nothing at the head of the page with messages, %d px wide',
    async (width) => {
      const { project, path } = setUp();
      await expectStatus(
        201,
        user.api.post(path, { slug: 'report', name: 'Report', intervalSeconds: 3_600 }),
      );
      await page.setViewportSize({ width, height: 800 });
      await show(`/alerts/schedules?project=${project.id}`);
      await page.getByRole('status', { name: 'Connection' }).getByText('live').waitFor({ state: 'attached' });
      for (const title of ['Checkout fails', 'Mails come late']) {
        const incident = { title, severity: 'critical', projectId: project.id };
        await expectStatus(201, user.api.post('/incidents', incident));
        await page.getByRole('status').filter({ hasText: title }).waitFor();
      }
      const covered = await page.evaluate(() => {
        const controls = [...document.querySelectorAll('header :is(a, button), main :is(a, button)')];
        // The choice of a project is drawn for wide or for narrow screens.
        const drawn = controls.filter((control) => control.checkVisibility());
        return drawn.flatMap((control) => {
          const { x, y, width, height } = control.getBoundingClientRect();
          const top = document.elementFromPoint(x + width / 2, y + height / 2);
          return control.contains(top) ? [] : [control.textContent];
        });
      });
      expect(covered).toEqual([]);
    },
  );
});
