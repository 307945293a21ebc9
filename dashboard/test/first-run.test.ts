import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../server/test/support/program.ts';
import { waitFor } from '../../server/test/support/wait.ts';
import { logInAnew, startTestService, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';

const runFile = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the first run', async () => {
  // The URL in the snippets has the configured port, so it must be known before.
  const service = await startTestService({ environment: { INGEST_PORT: String(await findFreePort()) } });

  const visitor = await visit(service);
  let hasUser = false;
  /** Opens a page in the document of the test before, as a user who signs up for the first one: without, the service has none. */
  const openPage = async (path: string) => {
    if (!hasUser) await logInAnew(visitor, await service.signUp());
    hasUser = true;
    await visitor.go(path);
    return visitor;
  };

  /** Creates a project, and stops at the page with the key. */
  const createProject = async (name: string) => {
    const { page } = await openPage('/projects/new');
    await page.getByLabel('Name').fill(name);
    await choose(page.getByRole('combobox', { name: 'Environment' }), 'staging');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page
      .getByRole('status', { name: 'First event' })
      .getByText('Waiting for your first event…')
      .waitFor();
    return { ...visitor, apiKey: await page.getByLabel('API key').inputValue() };
  };

  it('leads the first user of an installation to the sign-up, and later visitors to the login', async () => {
    const { page, open, faults } = await visit(service);
    for (const place of ['/', '/incidents?status=open', '/login']) {
      await open(place);
      await page.getByRole('heading', { level: 1, name: 'Create the first account' }).waitFor();
      expect(await page.getByRole('link', { name: 'Log in' }).count()).toBe(0);
    }
    // Another user signs up first.
    const { email } = await service.signUp();
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('a long password');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    await open('/');
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign up' }).waitFor();
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([]);
  });

  it('shows the key once, with a warning and a button that copies it', async () => {
    const { page, apiKey, faults } = await createProject('Shop');
    expect(apiKey).toMatch(/^tsn_/);
    await page.getByText('You won’t see it again.').waitFor();
    await page.getByRole('button', { name: 'Copy key' }).click();
    await page.getByText('✓ copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(apiKey);
    // The key is in no address and in nothing that outlives the page.
    expect(page.url()).not.toContain(apiKey);
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), history.state]),
    );
    expect(kept).not.toContain(apiKey);
    await page.getByRole('link', { name: 'Project settings' }).click();
    await page.getByRole('cell', { name: 'Default', exact: true }).waitFor();
    expect(await page.getByText(apiKey).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('stays at the project after a reload, and fills in the snippets with another key', async () => {
    const { page, apiKey, faults } = await createProject('Shop');
    expect(new URL(page.url()).pathname).toMatch(/^\/app\/projects\/proj_\w+\/start$/);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Shop · staging', exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe('Shop · staging · First steps · Tocsin');
    await page.getByText('The key was shown only once.').waitFor();
    expect(await page.getByText(apiKey).count()).toBe(0);
    const terminal = page.getByRole('region', { name: 'Terminal' });
    await terminal.getByText('YOUR_API_KEY').waitFor();
    await page.getByRole('button', { name: 'Create another key' }).click();
    const another = await page.getByLabel('API key').inputValue();
    expect(another).not.toBe(apiKey);
    await terminal.getByText(another).waitFor();
    await runFile('bash', ['-c', await snippetOf(page, 'curl', 'Terminal')]);
    await page.getByText('Your first event has arrived.').waitFor();
    await page.reload();
    await page.getByText('Newest event:').waitFor();
    expect(faults).toEqual([]);
  });

  it('leads from a project that is not here to the others', async () => {
    const { page } = await openPage('/projects/proj_nobody/start');
    await page.getByText('No project here').waitFor();
  });

  it('shows the first event once the curl snippet is run', async () => {
    const { page, faults } = await createProject(`Ada's "shop" $(id) 🔔`);
    const { stdout } = await runFile('bash', ['-c', await snippetOf(page, 'curl', 'Terminal')]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'queued' });
    const status = page.getByRole('status', { name: 'First event' });
    await status.getByText('Your first event has arrived.').waitFor();
    await status.getByText('My first event').waitFor();
    await status.getByText(`checkout · Ada's "shop" $(id) 🔔`).waitFor();
    await status.getByRole('link', { name: 'View event' }).click();
    await page.waitForURL(/\/app\/events\?/);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('project')).toMatch(/^proj_/);
    expect(searchParams.get('event')).toMatch(/^evt_/);
    expect(faults).toEqual([]);
  });

  it('sets off an alarm from the browser, also where the key is no longer known', async () => {
    const { page, faults } = await createProject(`Ada's "shop" 🔔`);
    await page.reload();
    await page.getByText('It uses a temporary key.').waitFor();
    await page.getByRole('button', { name: 'Set off an alarm' }).click();
    const incident = page.getByRole('status', { name: 'Incident', exact: true });
    await incident.getByText(/The card was refused/).waitFor();
    await page.getByText('The key was shown only once.').waitFor();
    await page.getByText(`CheckoutError · Ada's "shop" 🔔`).waitFor();
    await incident.getByRole('link', { name: 'Open incident' }).click();
    await page.getByRole('heading', { level: 1, name: /The card was refused/ }).waitFor();
    expect(faults).toEqual([]);
  });

  it('says that the browser cannot reach ingestion, or why it refused the sample errors', async () => {
    const { page } = await createProject('Shop');
    const alarm = page.getByRole('button', { name: 'Set off an alarm' });
    await page.route('**/t/*', (route) => route.abort());
    await alarm.click();
    await page.getByRole('alert').getByText(`This browser can’t reach ${service.ingestionUrl}.`).waitFor();
    await page.unroute('**/t/*');
    await page.route('**/t/*', (route) => {
      const detail = 'The project is over its quota.';
      return route.fulfill({
        status: 429,
        json: { detail },
        headers: { 'access-control-allow-origin': '*' },
      });
    });
    await alarm.click();
    await page.getByRole('alert').getByText('The project is over its quota.').waitFor();
    await page.unroute('**/t/*');
  });

  it('offers an SDK snippet that works unchanged', async () => {
    const { page } = await createProject("O'Brien's");
    await runProgram(await snippetOf(page, 'SDK', 'first-event.mjs'));
    const status = page.getByRole('status', { name: 'First event' });
    await status.getByText('Your first event has arrived.').waitFor();
    await status.getByText(/O'Brien's/).waitFor();
    await status.getByRole('link', { name: 'Open overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('offers an Express snippet that works unchanged', async () => {
    const { page } = await createProject("O'Brien's");
    const port = await findFreePort();
    const text = await snippetOf(page, 'Express', 'server.mjs');
    const status = page.getByRole('status', { name: 'First event' });
    await runProgram(text, { PORT: String(port) }, async () => {
      await waitFor('the application to answer', async () => (await askApplication(port)) === 500);
      await status.getByText('My first error').waitFor();
    });
    await status.getByText("server_error · O'Brien's").waitFor();
  });

  it('offers commands for a check-in and a deploy that work unchanged', async () => {
    const { page } = await createProject('Shop');
    for (const [tab, title, answer] of [
      ['Check-ins', 'End of a job', { status: 'recorded' }],
      ['Deploys', 'Deploy script', { status: 'queued' }],
    ] as const) {
      const { stdout } = await runFile('bash', ['-c', await snippetOf(page, tab, title)]);
      expect(JSON.parse(stdout)).toMatchObject(answer);
    }
  });

  it('offers the snippets as tabs that the arrow keys choose', async () => {
    const { page, apiKey } = await createProject('Shop');
    const tab = (name: string) => page.getByRole('tab', { name });
    await tab('curl').focus();
    await page.keyboard.press('ArrowRight');
    expect(await tab('SDK').getAttribute('aria-selected')).toBe('true');
    await page.getByRole('tabpanel', { name: 'SDK' }).getByText(apiKey).waitFor();
    await page.keyboard.press('End');
    expect(await tab('Deploys').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await tab('curl').and(page.locator(':focus')).waitFor();
    await page.getByRole('tabpanel', { name: 'curl' }).getByRole('button', { name: 'Copy snippet' }).click();
    await page.getByText('✓ copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(apiKey);
    expect(copied).toContain(`${service.ingestionUrl}/ingest/events`);
  });

  it('shows beside the project name what is wrong with it', async () => {
    const { page } = await openPage('/projects/new');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByLabel('Name').fill('x'.repeat(201));
    await page.getByRole('button', { name: 'Create project' }).click();
    await page
      .getByText(
        'Must hold 1 to 200 characters besides surrounding spaces, none of them a control character.',
      )
      .waitFor();
    const name = page.getByLabel('Name');
    await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

/** Returns the text of a snippet as the page shows it. */
async function snippetOf(page: Page, tab: string, title: string): Promise<string> {
  await page.getByRole('tab', { name: tab }).click();
  return page.getByRole('region', { name: title }).locator('pre').innerText();
}

/** Returns the status of the application's response; 0 without one. */
async function askApplication(port: number): Promise<number> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/`)).status;
  } catch {
    return 0;
  }
}

/** Runs a program in a directory where the packages are installed, until it ends or `meanwhile` is over. */
async function runProgram(
  text: string,
  environment: Record<string, string> = {},
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-snippet-'));
  afterAll(() => rm(directory, { recursive: true, force: true }));
  await symlink(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
  const program = path.join(directory, 'program.mjs');
  await writeFile(program, text);
  const controller = new AbortController();
  const run = runFile(process.execPath, [program], {
    env: { ...process.env, ...environment },
    signal: controller.signal,
  });
  if (!meanwhile) {
    await run;
    return;
  }
  const ended = run.catch(() => {});
  try {
    await meanwhile();
  } finally {
    controller.abort();
    await ended;
  }
}
