import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const DAY_MS = 86_400_000;

const clock = new TestClock();
const mail = await startMailServer();
const environment = {
  PUBLIC_URL: 'https://tocsin.example.com',
  SMTP_URL: mail.url,
  SMTP_FROM: 'Tocsin <tocsin@example.com>',
};
const service = await startTestService({ clock, environment });

const address = () => `${randomUUID()}@example.com`;
const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));
const mailTo = (email: string, count = 1) => waitFor(`${count} mails`, () => mailsTo(email)[count - 1]);
const tokenIn = (text: string) => /#(tsn_adr_\w{38})/.exec(text)?.[1] ?? '';
const addTarget = ({ api }: TestUser, to: string, name = 'On call') =>
  api.post('/notification-targets', { kind: 'email', name, config: { to } });

async function confirm(text: string): Promise<void> {
  const { status } = await new ApiClient(service.managementUrl).post('/notification-recipients/confirm', {
    token: tokenIn(text),
  });
  expect(status).toBe(204);
}

/** Signs up an OWNER with a project and a mail target, to which a route sends everything. */
async function setUp(to = address()) {
  const user = await service.signUp();
  const project = await user.createProject();
  const { body: target } = await addTarget(user, to, 'https://evil.example/login');
  expect((await user.api.post('/notification-routes', { targetId: target.id })).status).toBe(201);
  return { user, project, to, target };
}

const decided = (user: TestUser, incidentId: string) =>
  waitFor('the end of a delivery', async () => {
    const { body } = await user.api.get(`/incidents/${incidentId}/deliveries`);
    return body[0] && body[0].state !== 'pending' && body[0];
  });

it('asks an address that is no member’s once, without a text of users, and sends nothing else until it confirms', async () => {
  const to = address();
  const owner = await service.signUp('Visit evil.example');
  await owner.api.patch(`/organizations/${owner.organizationId}`, { name: 'https://evil.example/login' });
  const project = await owner.createProject('www.evil.example');
  const { body: target } = await addTarget(owner, to, 'Visit https://evil.example/login to verify');
  expect(target.confirmation).toMatchObject({ state: 'waiting' });
  await owner.api.post('/notification-routes', { targetId: target.id });
  const { text, source } = await mailTo(to);
  expect(source).not.toContain('evil');
  expect(source).toMatch(/^Subject: Confirm your address for Tocsin\r$/m);
  expect(text.match(/\S+:\/\/\S+/g)).toEqual([`https://tocsin.example.com/app/confirm#${tokenIn(text)}`]);

  const incident = await owner.openIncident(project.id);
  expect(await decided(owner, incident)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('isn’t confirmed yet'),
  });
  for (let count = 0; count < 5; count++) {
    const { body } = await owner.api.post(`/notification-targets/${target.id}/test`);
    expect(body).toMatchObject({ ok: false, reason: expect.stringContaining('isn’t confirmed yet') });
  }
  // Neither another target nor the same one created again asks again.
  await owner.api.delete(`/notification-targets/${target.id}`);
  const { body: again } = await addTarget(owner, to.toUpperCase());
  expect(again.confirmation.askedAt).toBe(target.confirmation.askedAt);
  expect((await owner.api.get('/notification-targets')).body[0]).toMatchObject({
    health: { state: 'unused' },
    confirmation: { state: 'waiting' },
  });
  const probe = address();
  await addTarget(owner, probe);
  await mailTo(probe);
  expect(mailsTo(to)).toHaveLength(1);
});

it('sends to a confirmed address only from the organization that asked', async () => {
  const { user, project, to, target } = await setUp();
  const { text } = await mailTo(to);
  const stranger = new ApiClient(service.managementUrl);
  const token = tokenIn(text);
  const lookup = () => stranger.post('/notification-recipients/lookup', { token });
  expect((await lookup()).body).toEqual({
    address: to,
    organization: { name: expect.any(String) },
    isConfirmed: false,
  });
  // A mail scanner opens the link.
  expect((await stranger.get('/app/confirm')).status).toBe(200);
  await decided(user, await user.openIncident(project.id));
  const warnings = async () => (await user.api.get('/service')).body.warnings;
  expect(await warnings()).toContain('unconfirmed_targets');
  await confirm(text);
  expect((await lookup()).body.isConfirmed).toBe(true);
  expect(await warnings()).not.toContain('unconfirmed_targets');
  expect((await user.api.post(`/notification-targets/${target.id}/test`)).body).toMatchObject({ ok: true });
  await user.openIncident(project.id, { title: 'Cart fails' });
  await mailTo(to, 3);
  expect(mailsTo(to).map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])).toEqual([
    'Confirm your address for Tocsin',
    expect.stringMatching(/Test/),
    '[error] Cart fails',
  ]);
  expect(mailsTo(to)[1]?.source).not.toMatch(/\/\/evil|evil\.example/);
  const other = await service.signUp();
  expect((await addTarget(other, to)).body.confirmation.state).toBe('waiting');
  const { rows } = await service.database.pool.query('SELECT hash FROM mail_recipients WHERE address = $1', [
    to,
  ]);
  expect(JSON.stringify(rows)).not.toContain(token);
});

it('refuses a replaced, expired or wrong link, and limits how often an address is asked', async () => {
  const { user, to, target } = await setUp();
  const first = await mailTo(to);
  const ask = () => user.api.post(`/notification-targets/${target.id}/confirmation`);
  expect((await ask()).body.confirmation.state).toBe('waiting');
  const second = await mailTo(to, 2);
  const stranger = new ApiClient(service.managementUrl);
  const tryIt = (token: string) => stranger.post('/notification-recipients/confirm', { token });
  for (const token of [tokenIn(first.text), '', 'tsn_inv_'.padEnd(46, 'a')])
    expect(await tryIt(token)).toMatchObject({ status: 404, body: { code: 'invalid_confirmation' } });
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_confirmations']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const third = await mailTo(to, 3);
  expect(tokenIn(third.text)).not.toBe(tokenIn(second.text));
  clock.advance(7 * DAY_MS + 1_000);
  expect((await tryIt(tokenIn(third.text))).status).toBe(404);
  // Sessions have ended with the week; another organization asks the same address.
  const other = await service.signUp();
  await addTarget(other, to);
  await confirm((await mailTo(to, 4)).text);
  const { body } = await other.api.get('/notification-targets');
  const settled = await other.api.post(`/notification-targets/${body[0].id}/confirmation`);
  expect([settled.status, settled.body.code]).toEqual([409, 'nothing_to_confirm']);
});

it('asks 20 addresses an hour for an organization, and further ones when asked again', async () => {
  const user = await service.signUp();
  const states = [];
  for (let count = 0; count < 22; count++)
    states.push((await addTarget(user, address())).body.confirmation.askedAt === null ? 'later' : 'asked');
  expect(states).toEqual([...Array(20).fill('asked'), 'later', 'later']);
});

it('asks members unless a mailed link has verified their address', async () => {
  const user = await service.signUp();
  expect((await addTarget(user, user.email)).body.confirmation.state).toBe('waiting');
  await mailTo(user.email);
  const stranger = new ApiClient(service.managementUrl);
  await stranger.post('/auth/password-reset', { email: user.email });
  const { text } = await mailTo(user.email, 2);
  const token = /#(tsn_rec_\w{38})/.exec(text)?.[1];
  const reset = await stranger.post('/auth/password-reset/confirm', {
    token,
    password: 'another horse battery',
  });
  expect(reset.status, JSON.stringify(reset.body)).toBeLessThan(300);
  await user.api.post('/auth/login', { email: user.email, password: 'another horse battery' });
  const { body } = await user.api.get('/notification-targets');
  expect(body[0].confirmation).toBeNull();
  const tested = await user.api.post(`/notification-targets/${body[0].id}/test`);
  expect(tested.body).toMatchObject({ ok: true });
  expect((await user.api.get('/service')).body.warnings).not.toContain('unconfirmed_targets');
});

it('sends all mails of an incident with one subject, whatever becomes of its title and severity', async () => {
  const { user, project, to } = await setUp();
  await confirm((await mailTo(to)).text);
  const id = await user.openIncident(project.id, { title: 'Cart fails' });
  await mailTo(to, 2);
  const changes = { title: 'Payments fail', severity: 'critical' };
  expect((await user.api.patch(`/incidents/${id}`, changes)).status).toBe(200);
  await mailTo(to, 3);
  expect((await user.api.patch(`/incidents/${id}`, { status: 'resolved' })).status).toBe(200);
  await mailTo(to, 4);
  const [, ...mails] = mailsTo(to);
  expect(mails.map(({ source }) => /^Subject: (.*)\r$/m.exec(source)?.[1])).toEqual(
    Array.from({ length: 3 }, () => '[error] Cart fails'),
  );
  expect(mails.map(({ text }) => text.split('\r\n')[0])).toEqual([
    'Cart fails',
    'Worse: Payments fail',
    'Resolved: Payments fail',
  ]);
});
