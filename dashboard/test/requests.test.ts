import { describe, expect, it } from 'vitest';
import { RequestCounts } from '../../server/src/ingestion/requests/request-counts.ts';
import { toUuid } from '../../server/src/platform/ids.ts';
import { startTestService, visit } from './support/browser.ts';
import { chooseAction } from './support/choose.ts';

describe('where is my event', async () => {
  const service = await startTestService();

  /** Makes a project that was sent an accepted and two refused requests. */
  async function setUp() {
    const user = await service.signUp();
    const project = await user.createProject('Shop');
    const [key] = (await user.api.get(`/projects/${project.id}/api-keys`)).body;
    const sender = {
      projectId: toUuid('proj', project.id) ?? '',
      keyId: toUuid('key', key.id),
      isAuthenticated: true,
    };
    const counts = new RequestCounts(() => 0);
    const sample = {
      method: 'POST',
      path: '/ingest/events',
      headers: [
        { name: 'content-type', value: 'application/json', length: 16 },
        { name: 'x-company-token', value: null, length: 32 },
      ],
      namedIds: [],
      keyPrefix: key.prefix,
    };
    counts.note(sender, { protocol: 'events', reason: null }, () => {
      return { ...sample, status: 202, detail: null, requestId: null };
    });
    for (const requestId of ['lost-1', 'lost-2'])
      counts.note(sender, { protocol: 'events', reason: 'malformed_json' }, () => {
        return { ...sample, status: 400, detail: 'The body cannot be parsed as JSON.', requestId };
      });
    await counts.flush(service.context);
    return { user, project, ...(await visit(service, user)) };
  }

  it('shows requests by protocol and key, and how refused ones were sent', async () => {
    const { project, page, open } = await setUp();
    await open(`/projects/${project.id}`);
    await chooseAction(page, 'Shop', 'Where is my event?');
    await page.getByRole('heading', { level: 1, name: 'Shop · Where is my event?' }).waitFor();
    await page.getByRole('row', { name: /^Events Default tsn_live_\w+… 1 2 × not valid JSON/ }).waitFor();
    const newest = page.getByRole('list', { name: 'Newest requests' });
    await newest.getByText('400 · not valid JSON').first().click();
    await newest.getByText('The body cannot be parsed as JSON.').first().waitFor();
    await newest.getByText('32 characters').first().waitFor();
  });

  it('finds a refused request and a stored event by their ids', async () => {
    const { project, page, open } = await setUp();
    const event = { type: 'checkout', severity: 'ERROR', message: 'Paid', payload: { password: 'hunter2' } };
    const { body } = await project.ingest.post('/ingest/events', event);
    await service.settled();
    await open(`/projects/${project.id}/requests`);
    await page.getByLabel('Id').fill(' lost-2 ');
    await page.getByRole('button', { name: 'Find' }).click();
    const found = page.getByRole('status').filter({ hasText: '.' });
    await found.getByText('It was refused.').waitFor();
    await found.getByText('The body cannot be parsed as JSON.').waitFor();
    await page.getByLabel('Id').fill(body.jobId);
    await page.getByRole('button', { name: 'Find' }).click();
    await found.getByText('Its event is stored.').waitFor();
    await found.getByText('1 secret was filtered.').waitFor();
    await found.getByRole('link', { name: 'View event' }).click();
    await page.waitForURL(/\/app\/events\?.*event=evt_/);
    await open(`/projects/${project.id}/requests`);
    await page.getByLabel('Id').fill('nowhere');
    await page.getByRole('button', { name: 'Find' }).click();
    await found.getByText('Not found in this project.').waitFor();
  });

  it('shows beside each snippet what came by its protocol', async () => {
    const { project, page, open } = await setUp();
    await open(`/projects/${project.id}`);
    const integrations = page.getByRole('region', { name: 'Integrations' });
    await integrations.getByText('Refused in the last 24 hours: 2 × not valid JSON.').waitFor();
    await integrations.getByRole('tab', { name: 'OpenTelemetry' }).click();
    await integrations.getByText('OTEL_EXPORTER_OTLP_ENDPOINT=').waitFor();
    expect(await integrations.getByText(/in the last 24 hours|Last request/).count()).toBe(0);
  });

  it('says that nothing has come, and that a project is unknown', async () => {
    const user = await service.signUp();
    const project = await user.createProject('Shop');
    const { page, open } = await visit(service, user);
    await open(`/projects/${project.id}/requests`);
    await page.getByText('No requests').waitFor();
    await open('/projects/proj_01h455vb4pex5vsknk084sn02q/requests');
    await page.getByRole('button', { name: 'Find' }).waitFor({ state: 'detached' });
  });
});
