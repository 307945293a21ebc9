import { describe, expect, it } from 'vitest';
import { HOSTILE } from '../../src/notifications/channels/testing.ts';
import { expectProblem } from '../support/problems.ts';
import { type PushBrowser, startPushServer } from '../support/push-server.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService({
  environment: { OUTBOUND_ALLOW: 'localhost', PUBLIC_URL: 'https://tocsin.example.com' },
});
const push = await startPushServer();
const { publicKey } = (await (await service.signUp()).api.get('/web-push/key')).body;

/** Turns on notifications in a browser of a user. */
async function switchOn(user: TestUser, browser = push.subscribe(publicKey)) {
  const { status, body } = await user.api.post('/web-push/browsers', browser.subscription);
  expect(status, JSON.stringify(body)).toBe(201);
  return { browser, id: body.id as string };
}

/** Signs up an OWNER with a project, and a route to the browsers of the organization. */
async function setUp() {
  const user = await service.signUp();
  const project = await user.createProject();
  const targetId = await createTarget(user, {});
  return { user, project, targetId };
}

async function createTarget(user: TestUser, config: object) {
  const target = await user.api.post('/notification-targets', { kind: 'webpush', name: 'Team', config });
  expect(target.status, JSON.stringify(target.body)).toBe(201);
  expect((await user.api.post('/notification-routes', { targetId: target.body.id })).status).toBe(201);
  return target.body.id as string;
}

const arrival = (browser: PushBrowser, count: number) =>
  waitFor(`${count} messages`, async () => browser.received.length >= count);

/** Resolves when a delivery is as expected; the newest comes first. */
const delivery = (user: TestUser, targetId: string, expected: object) =>
  waitFor(`a delivery ${JSON.stringify(expected)}`, async () => {
    const [newest] = (await user.api.get(`/notification-targets/${targetId}/deliveries`)).body;
    return Object.entries(expected).every(([name, value]) => newest?.[name] === value) && newest;
  });

const targetOf = async (user: TestUser) => (await user.api.get('/notification-targets')).body[0];

const ownBrowsers = async (user: TestUser) => (await user.api.get('/web-push/browsers')).body;

describe('a browser', () => {
  it('notifies a browser of an incident by an encrypted and signed message, which the resolution replaces', async () => {
    const { user, project } = await setUp();
    const { browser } = await switchOn(user);
    const id = await user.openIncident(project.id);
    await arrival(browser, 1);
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await arrival(browser, 2);
    const [opened, resolved] = browser.received;
    expect(opened?.data).toEqual({
      title: 'Down',
      body: expect.stringContaining('Project: Shop · Severity: error · Status: open'),
      tag: id,
      path: `/app/incidents/${id}`,
      silence: { label: 'Silence for 4 hours', path: `/app/incidents/${id}?silence=4h` },
      stays: false,
    });
    expect(opened?.headers).toMatchObject({ urgency: 'high', ttl: '86400' });
    expect(opened?.claims.sub).toBe('https://tocsin.example.com');
    expect(resolved?.data).toMatchObject({ title: 'Resolved: Down', tag: id });
    expect(resolved?.headers).toMatchObject({ urgency: 'normal', topic: opened?.headers['topic'] });
    const other = await user.openIncident(project.id, { title: 'Another', severity: 'critical' });
    await arrival(browser, 3);
    expect(browser.received[2]?.data).toMatchObject({ tag: other, stays: true });
    expect(browser.received[2]?.headers['topic']).not.toBe(opened?.headers['topic']);
    expect(push.faults).toEqual([]);
    expect(await ownBrowsers(user)).toMatchObject([{ state: 'working', lastFailure: null, publicKey }]);
  });

  it('sends hostile text as text, in no more bytes than push services take', async () => {
    const { user, project } = await setUp();
    const { browser } = await switchOn(user);
    const title = HOSTILE.join('')
      .slice(0, 190)
      .replaceAll(/\p{Cc}/gu, '')
      .toWellFormed();
    await user.openIncident(project.id, { title });
    await arrival(browser, 1);
    expect(browser.received[0]?.bytes).toBeLessThanOrEqual(4_096);
    expect(push.faults).toEqual([]);
  });

  it('sends a test to a browser for its user alone', async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const { browser, id } = await switchOn(user);
    const tested = await user.api.post(`/web-push/browsers/${id}/test`);
    expect(tested.body).toMatchObject({ ok: true, status: 201, reason: null });
    expect(browser.received).toHaveLength(1);
    browser.answer = { status: 413 };
    expect((await user.api.post(`/web-push/browsers/${id}/test`)).body).toMatchObject({
      ok: false,
      status: 413,
      reason: 'Answered 413.',
    });
    expect(await ownBrowsers(user)).toMatchObject([{ id, state: 'failing', lastFailure: 'Answered 413.' }]);
    expectProblem(await other.api.post(`/web-push/browsers/${id}/test`), 'not_found');
    expectProblem(await other.api.delete(`/web-push/browsers/${id}`), 'not_found');
    expect(await ownBrowsers(other)).toEqual([]);
  });

  it('refuses an invalid address or invalid keys of a browser', async () => {
    const user = await service.signUp();
    const { endpoint, keys } = push.subscribe(null).subscription;
    for (const body of [
      { endpoint: endpoint.replace('https:', 'http:'), keys },
      { endpoint: 'https://user:pass@localhost/', keys },
      { endpoint: 'file:///etc/passwd', keys },
      { endpoint, keys: { ...keys, auth: 'AAAA' } },
      { endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
      { endpoint, keys: {} },
      { endpoint },
    ])
      expectProblem(await user.api.post('/web-push/browsers', body), 'validation_failed');
    expect(await ownBrowsers(user)).toEqual([]);
  });

  it('sends nothing to addresses where requests may not go', async () => {
    const { user, project, targetId } = await setUp();
    const { keys } = push.subscribe(null).subscription;
    const inside = { endpoint: 'https://169.254.169.254/latest', keys };
    expect((await user.api.post('/web-push/browsers', inside)).status).toBe(201);
    await user.openIncident(project.id);
    expect(await delivery(user, targetId, { state: 'failed' })).toMatchObject({
      status: null,
      reason: expect.stringContaining('not in the public internet'),
    });
  });

  it('accepts at most 20 browsers of a user', async () => {
    const user = await service.signUp();
    for (let count = 0; count < 20; count++) await switchOn(user);
    expectProblem(
      await user.api.post('/web-push/browsers', push.subscribe(publicKey).subscription),
      'limit_reached',
    );
    const [{ id }] = await ownBrowsers(user);
    expect((await user.api.delete(`/web-push/browsers/${id}`)).status).toBe(204);
    await switchOn(user);
  });

  it('stores a browser once, for the user who switched it on last', async () => {
    const user = await service.signUp();
    const other = await service.signUp();
    const { browser, id } = await switchOn(user);
    expect((await switchOn(user, browser)).id).toBe(id);
    expect(await ownBrowsers(user)).toHaveLength(1);
    await switchOn(other, browser);
    expect(await ownBrowsers(user)).toEqual([]);
    expect(await ownBrowsers(other)).toHaveLength(1);
  });
});

describe('several browsers of a target', () => {
  it('removes a browser that is gone, and keeps sending to the others of the target', async () => {
    const { user, project, targetId } = await setUp();
    const [first, gone, missing] = [await switchOn(user), await switchOn(user), await switchOn(user)];
    gone.browser.answer = { status: 410 };
    missing.browser.answer = { status: 404 };
    await user.openIncident(project.id);
    await arrival(first.browser, 1);
    expect(await delivery(user, targetId, { state: 'delivered' })).toMatchObject({
      body: '3 browsers: 1 accepted, 2 gone.',
    });
    expect(await ownBrowsers(user)).toMatchObject([{ id: first.id }]);
    expect(await targetOf(user)).toMatchObject({ enabled: true, health: { state: 'working' } });
  });

  it('sends a message to each browser once, and to busy ones after their Retry-After', async () => {
    const { user, project, targetId } = await setUp();
    const [first, busy] = [await switchOn(user), await switchOn(user)];
    busy.browser.answer = { status: 429, headers: { 'retry-after': '3600' } };
    const id = await user.openIncident(project.id);
    const waiting = await delivery(user, targetId, { attempts: 1 });
    expect(waiting).toMatchObject({
      state: 'pending',
      status: 429,
      body: '2 browsers: 1 accepted, 1 to be tried again.',
    });
    expect(await targetOf(user)).toMatchObject({ health: { state: 'working' } });
    const { rows } = await service.database.pool.query<{ seconds: number }>(
      `SELECT extract(epoch FROM due_at - last_attempt_at)::float8 AS seconds FROM deliveries d
        JOIN incidents i ON i.id = d.subject_id WHERE i.title = 'Down' AND d.state = 'pending' AND d.accepted_by IS NOT NULL`,
    );
    expect(rows).toEqual([{ seconds: 3_600 }]);
    busy.browser.answer = { status: 201 };
    await service.database.pool.query(`UPDATE deliveries SET due_at = now() WHERE accepted_by IS NOT NULL`);
    await arrival(busy.browser, 1);
    await delivery(user, targetId, { state: 'delivered', attempts: 2 });
    expect(busy.browser.received[0]?.data.tag).toBe(id);
    expect(first.browser.received).toHaveLength(1);
  });

  it('repeats a message that no browser accepts, as for any target', async () => {
    const { user, project, targetId } = await setUp();
    const { browser } = await switchOn(user);
    browser.answer = { status: 503 };
    await user.openIncident(project.id);
    await delivery(user, targetId, { state: 'pending', attempts: 1, status: 503 });
    expect(await targetOf(user)).toMatchObject({
      health: { state: 'failing', lastFailure: 'Answered 503.' },
    });
  });
});

describe('a target of browsers', () => {
  it('says that no browser is switched on, and enables the target again by the first', async () => {
    const { user, project, targetId } = await setUp();
    await user.openIncident(project.id);
    expect(await delivery(user, targetId, { state: 'failed' })).toMatchObject({
      reason: expect.stringContaining('No browser has notifications turned on'),
    });
    await service.database.pool.query(
      `UPDATE notification_targets SET disabled_at = now(), disabled_reason = 'Nothing has arrived for 5 days.'
        WHERE name = 'Team' AND organization_id = (SELECT organization_id FROM projects ORDER BY id DESC LIMIT 1)`,
    );
    expect(await targetOf(user)).toMatchObject({ enabled: false });
    const { browser } = await switchOn(user);
    expect(await targetOf(user)).toMatchObject({ enabled: true });
    const tested = await user.api.post(`/notification-targets/${targetId}/test`);
    expect(tested.body).toMatchObject({ ok: true, status: 201, body: '1 browser: 1 accepted.' });
    expect(browser.received).toHaveLength(1);
  });

  it('reaches the browsers of all members or of one, and never those of another organization', async () => {
    const { user, project } = await setUp();
    const member = await user.addMember();
    const stranger = await service.signUp();
    await createTarget(user, { userId: stranger.id });
    const own = await createTarget(user, { userId: member.id });
    const [ownerBrowser, memberBrowser, strangerBrowser] = [
      (await switchOn(user)).browser,
      (await switchOn(member)).browser,
      (await switchOn(stranger)).browser,
    ];
    await user.openIncident(project.id);
    await arrival(memberBrowser, 2);
    await arrival(ownerBrowser, 1);
    await delivery(user, own, { state: 'delivered' });
    expect(ownerBrowser.received).toHaveLength(1);
    expect(strangerBrowser.received).toHaveLength(0);
    for (const userId of ['ada', 'usr_zzzzzzzzzzzzzzzzzzzzzzzzzz', ''])
      expectProblem(
        await user.api.post('/notification-targets', { kind: 'webpush', name: 'x', config: { userId } }),
        'validation_failed',
      );
  });
});

describe('the end of notifications in a browser', () => {
  it('sends nothing after a logout, until the user logs in there again', async () => {
    const { user, targetId } = await setUp();
    const { browser, id } = await switchOn(user);
    const test = () => user.api.post(`/notification-targets/${targetId}/test`);
    expect((await test()).body.ok).toBe(true);
    const { email, password } = user;
    expect((await user.api.post('/auth/logout')).status).toBe(200);
    expect((await user.api.post('/auth/login', { email, password })).status).toBe(200);
    expect((await test()).body).toMatchObject({ ok: false, reason: expect.stringContaining('No browser') });
    expect(await ownBrowsers(user)).toMatchObject([{ id, state: 'logged_out' }]);
    const { endpoint } = browser.subscription;
    expect((await user.api.post('/web-push/browsers/resume', { endpoint })).body).toMatchObject({
      id,
      state: 'working',
    });
    expect((await test()).body.ok).toBe(true);
    const other = await service.signUp();
    expectProblem(await other.api.post('/web-push/browsers/resume', { endpoint }), 'not_found');
  });

  it('sends nothing after a session was ended elsewhere, but continues after one that expired', async () => {
    const { user, targetId } = await setUp();
    await switchOn(user);
    const test = async () => (await user.api.post(`/notification-targets/${targetId}/test`)).body.ok;
    const { email, password } = user;
    await service.database.pool.query(
      `UPDATE sessions SET expires_at = now() - interval '1 minute' WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    );
    await user.api.post('/auth/login', { email, password });
    expect(await test()).toBe(true);
    await service.maintain();
    expect(await test()).toBe(true);
    await switchOn(user);
    const [newest] = await ownBrowsers(user);
    expect(newest.state).toBe('unused');
    const here = await service.database.pool.query(
      `SELECT count(*) FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    );
    expect(here.rows).toEqual([{ count: 1 }]);
    await user.api.post('/auth/login', { email, password });
    expect((await user.api.delete('/auth/sessions')).status).toBe(204);
    expect((await ownBrowsers(user)).map((each: { state: string }) => each.state)).toEqual([
      'logged_out',
      'working',
    ]);
  });

  it('sends nothing of the organization to a member who has left', async () => {
    const { user, project } = await setUp();
    const member = await user.addMember();
    const [ownerBrowser, memberBrowser] = [(await switchOn(user)).browser, (await switchOn(member)).browser];
    await user.openIncident(project.id);
    await arrival(memberBrowser, 1);
    expect((await user.api.delete(`/organizations/${user.organizationId}/members/${member.id}`)).status).toBe(
      204,
    );
    await user.openIncident(project.id);
    await arrival(ownerBrowser, 2);
    expect(memberBrowser.received).toHaveLength(1);
  });
});

describe('what is stored of a browser', () => {
  it('stores neither the address nor the keys of a browser in the open, nor logs them', async () => {
    const user = await service.signUp();
    const { browser } = await switchOn(user);
    const { endpoint, keys } = browser.subscription;
    const { rows } = await service.database.pool.query<{ text: string }>(
      `SELECT row_to_json(b)::text AS text FROM web_push_browsers b UNION ALL SELECT row_to_json(k)::text FROM web_push_keys k
        UNION ALL SELECT row_to_json(a)::text FROM audit_log a WHERE action LIKE 'browser.%'`,
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { text } of rows) {
      for (const secret of [new URL(endpoint).pathname, keys.p256dh, keys.auth])
        expect(text).not.toContain(secret);
    }
    const answers = JSON.stringify([await ownBrowsers(user), (await user.api.get('/audit-log')).body]);
    expect(answers).not.toContain(new URL(endpoint).pathname);
    const { rows: pairs } = await service.database.pool.query(`SELECT public_key FROM web_push_keys`);
    expect(pairs).toEqual([{ public_key: publicKey }]);
  });
});
