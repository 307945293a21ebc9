import { describe, expect, it } from 'vitest';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { whenRead } from './support/navigate.ts';

/** Interval in which the list of events polls for new ones. */
const POLL_MS = 5_000;

const service = await startTestService();
// Without any user the login leads to the sign-up.
await service.signUp();

describe('getting in', async () => {
  const outside = await visit(service);
  /** Opens an empty form in a document that no test logs in to. */
  const openSignUp = async () => {
    await outside.go('/login');
    await outside.go('/signup');
    return outside.page;
  };

  it('signs up with name, email and password, and begins with a project', async () => {
    const { page, open, faults } = await visit(service);
    await open('/');
    await page.getByRole('link', { name: 'Sign up' }).waitFor();
    // No session had ended.
    expect(await page.getByText('Your session ended').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { level: 1, name: 'New project' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/projects/new');
    await page.getByText('Grace Hopper', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('signs up even if the organization cannot be named, and says so', async () => {
    const { page, open } = await visit(service);
    await page.route('**/organizations/me', (route) =>
      route.fulfill({ status: 503, json: { detail: 'The service is busy.' } }),
    );
    await open('/signup');
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Email').fill('grace.hopper@example.com');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByLabel('Organization').fill('Navy');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { level: 1, name: 'New project' }).waitFor();
    await page.getByText('The service is busy. You can rename it in Settings.').waitFor();
  });

  it.each([
    ['with', 1],
    // The second answer finds a session that another tab has just renewed.
    ['without', 2],
  ])('reads the session at most twice on a first visit %s a session', async (word, requests) => {
    const user = word === 'with' ? await service.signUp() : null;
    const { page, open } = await visit(service, user);
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/auth/me') asked++;
    });
    await whenRead(page, async () => {
      await open('/');
      const arrived = user ? page.getByText('live') : page.getByRole('link', { name: 'Sign up' });
      await arrived.waitFor();
    });
    expect(asked).toBe(requests);
  });

  it('shows errors beside the fields of the login, and focuses the first', async () => {
    const page = await openSignUp();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill('nobody');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Sign up' }).click();
    const email = page.getByRole('textbox', { name: 'Email' });
    await page.getByText('Enter an email address, such as ada@example.com.').waitFor();
    await page.getByText('Use at least 8 characters (5 so far).').waitFor();
    await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBeNull();
  });

  it('shows the service’s refusal beside the field of the sign-up', async () => {
    const page = await openSignUp();
    await page.getByLabel('Name').fill('x'.repeat(201));
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page
      .getByText(
        'Must hold 1 to 200 characters besides surrounding spaces, none of them a control character.',
      )
      .waitFor();
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  });

  it('shows beside the email that it is registered already', async () => {
    const { email } = await service.signUp();
    const page = await openSignUp();
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Email').fill(email.toUpperCase());
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('This email is already registered.').waitFor();
    const field = page.getByRole('textbox', { name: 'Email' });
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('lets a password manager fill in login and sign-up', async () => {
    const page = await openSignUp();
    const kindOf = (label: string) => page.getByLabel(label).getAttribute('autocomplete');
    expect([await kindOf('Name'), await kindOf('Email'), await kindOf('Password')]).toEqual([
      'name',
      'username',
      'new-password',
    ]);
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    expect([await kindOf('Email'), await kindOf('Password')]).toEqual(['username', 'current-password']);
  });

  it('leads to the login and, after it, back to exactly the same address', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service);
    await open('/events?severity=error&q=card%20%26%20%22x%22&range=7d');
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    await logIn(page, user);
    await page.waitForURL(/\/app\/events\?/);
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe('/app/events');
    expect(Object.fromEntries(searchParams)).toEqual({ severity: 'error', q: 'card & "x"', range: '7d' });
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('follows a next page that includes the base path', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service);
    await open('/login?next=/app/projects');
    await logIn(page, user);
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/projects');
  });

  it('redirects a user who is logged in already, and never elsewhere', async () => {
    const { page, open } = await visit(service, await service.signUp());
    await open('/login?next=%2Fprojects');
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    for (const path of ['/signup', `/login?next=${encodeURIComponent('https://evil.example/')}`]) {
      await open(path);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      expect(page.url().replace(/\/$/, '')).toBe(`${service.managementUrl}/app`);
    }
  });

  it('reports a wrong password, and too many failed attempts', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service);
    await open('/login');
    await logIn(page, { ...user, password: 'not this one' });
    await page.getByRole('alert').getByText('Wrong email or password.').waitFor();
    for (let attempt = 1; attempt < 10; attempt++) {
      await page.request.post('/auth/login', { data: { email: user.email, password: 'nor this' } });
    }
    await page.getByRole('button', { name: 'Log in' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText(/Too many failed attempts\. Try again in .+ at \d\d:\d\d:\d\d\./).waitFor();
  });

  it('reports an unreachable service, and logs in when it is back', async () => {
    const user = await service.signUp();
    const { page, open, context } = await visit(service);
    await open('/login');
    await page.getByLabel('Email').waitFor();
    await context.setOffline(true);
    await logIn(page, user);
    await page.getByRole('alert').getByText('Couldn’t reach the server.').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });
});

describe('getting out', () => {
  it('ends the session of a logout in every other tab, too', async () => {
    const { page, open, context } = await visit(service, await service.signUp('Ada Lovelace'));
    const other = await context.newPage();
    await other.goto('/app/projects?range=7d');
    await open('/');
    for (const tab of [page, other]) await becomesLive(tab);
    await page.getByText('Ada Lovelace', { exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect((await page.request.get('/auth/me')).status()).toBe(401);
    // The other tab changes without input.
    await other.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    expect(new URL(other.url()).searchParams.get('next')).toBe('/projects?range=7d');
  });

  it('leads to the login when the service answers 401, and back to the same address', async () => {
    const user = await service.signUp();
    const { page, open, context } = await visit(service, user, { hasClock: true });
    await open('/events?range=1h');
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    // The page's next request is refused.
    await context.clearCookies();
    await page.clock.fastForward(POLL_MS);
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/events?range=1h');
    await logIn(page, user);
    await page.waitForURL(/\/app\/events\?range=1h$/);
  });

  it('shows no data of the previous user to the next one', async () => {
    const { page, open } = await visit(service, await service.signUp('First User'));
    await open('/');
    await page.getByText('First User', { exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    const second = await service.signUp('Second User');
    await logIn(page, second);
    await page.getByText('Second User', { exact: true }).waitFor();
    expect(await page.getByText('First User').count()).toBe(0);
  });
});

async function logIn(
  page: Awaited<ReturnType<typeof visit>>['page'],
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}
