import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { signUpPair, startTestService, type TestUser } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { waitFor } from '../support/wait.ts';

const NEW_PASSWORD = 'quite another one';
const MINUTE_MS = 60_000;
const clock = new TestClock();
const lines: string[] = [];
const mail: MailServer = await startMailServer();
const service = await startTestService({
  roles: ['management'],
  clock,
  environment: {
    PUBLIC_URL: 'https://tocsin.example.com',
    SMTP_URL: mail.url,
    SMTP_FROM: 'Tocsin <tocsin@example.com>',
    LOG_LEVEL: 'trace',
  },
  logDestination: { write: (line) => lines.push(line) },
});

const client = () => new ApiClient(service.managementUrl);
const requestReset = (email: string, headers: Record<string, string> = {}) =>
  client().post('/auth/password-reset', { email }, { headers });
const lookUp = (token: string) => client().post('/auth/password-reset/lookup', { token });
const confirm = (token: string, password = NEW_PASSWORD) =>
  client().post('/auth/password-reset/confirm', { token, password });
const logIn = (user: TestUser, password: string) =>
  client().post('/auth/login', { email: user.email, password });

const mailsTo = ({ email }: TestUser) => mail.received.filter(({ to }) => to.includes(email));
async function mailedToken(user: TestUser, count = 1): Promise<string> {
  await waitFor('the mail', async () => mailsTo(user).length >= count);
  const [, url = ''] = /(https:\S+#\S+)/.exec(mailsTo(user)[count - 1]?.text ?? '') ?? [];
  expect(url).toMatch(/^https:\/\/tocsin\.example\.com\/app\/reset#tsn_rec_\w{38}$/);
  return new URL(url).hash.slice(1);
}
/** Waits for the mail of a later request: they are processed in order, so earlier ones have sent theirs. */
async function settleMail(): Promise<void> {
  const last = await service.signUp();
  await requestReset(last.email);
  await waitFor('the last mail', async () => mailsTo(last).length > 0);
}

const makeLink = ({ api, organizationId }: TestUser, userId: string) =>
  api.post(`/organizations/${organizationId}/members/${userId}/recovery-link`);

describe('a password reset by mail', () => {
  it('mails a link that sets a new password once, ends all sessions and starts none', async () => {
    const user = await service.signUp();
    const socket = await openSocket(service.managementUrl, {
      cookie: user.api.cookie,
      origin: 'https://tocsin.example.com',
    });
    const answer = await requestReset(` ${user.email.toUpperCase()} `);
    expect(answer.status).toBe(202);
    const token = await mailedToken(user);
    expect(await lookUp(token)).toMatchObject({ status: 200, body: { email: user.email } });
    const changed = await confirm(token);
    expect(changed.status).toBe(200);
    expect(changed.headers.getSetCookie()).toEqual([]);
    expectProblem(await user.api.get('/auth/me'), 'unauthenticated');
    expect(await socket.closed).toBe(1008);
    expectProblem(await logIn(user, user.password), 'invalid_credentials');
    expect((await logIn(user, NEW_PASSWORD)).status).toBe(200);
    expectProblem(await confirm(token, 'a third password'), 'invalid_recovery_link');
    await waitFor('the notice', async () => mailsTo(user).length === 2);
    expect(mailsTo(user)[1]?.source).toContain('Subject: Your Tocsin password was changed');
    expect(mailsTo(user)[1]?.text).not.toContain('tsn_rec_');
  });

  it('answers the same for any address, known, unknown or none', async () => {
    const user = await service.signUp();
    const answers = [];
    for (const email of [user.email, 'nobody@example.com', 'nonsense', '', 'a@b\u202e.c']) {
      answers.push(await requestReset(email));
    }
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({ status: 202, body: answers[0]?.body });
    }
  });

  it('sends at most 3 mails an hour for an account, and answers the same', async () => {
    const user = await service.signUp();
    const answers = await Promise.all(Array.from({ length: 6 }, () => requestReset(user.email)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
    await waitFor('three mails', async () => mailsTo(user).length === 3);
    await settleMail();
    expect(mailsTo(user)).toHaveLength(3);
    clock.advance(61 * MINUTE_MS);
    await requestReset(user.email);
    await waitFor('a fourth mail', async () => mailsTo(user).length === 4);
  });

  it('builds the link from PUBLIC_URL, whatever host the request names', async () => {
    const user = await service.signUp();
    await requestReset(user.email, { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' });
    await mailedToken(user);
    expect(mailsTo(user)[0]?.source).not.toContain('evil.example');
  });

  it('does not use up a recovery link by the GET of a mail scanner', async () => {
    const user = await service.signUp();
    await requestReset(user.email);
    const token = await mailedToken(user);
    const headers = { accept: 'text/html' };
    expect((await client().get('/app/reset', { headers })).status).toBe(200);
    for (const path of [
      '/auth/password-reset',
      '/auth/password-reset/lookup',
      '/auth/password-reset/confirm',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        expect([404, 405]).toContain((await client().request(method, path)).status);
      }
    }
    expect((await lookUp(token)).status).toBe(200);
    expect((await lookUp(token)).status).toBe(200);
    expect((await confirm(token)).status).toBe(200);
  });

  it('ends a link after 30 minutes, and with any other change of the password', async () => {
    const user = await service.signUp();
    await requestReset(user.email);
    const expired = await mailedToken(user);
    clock.advance(30 * MINUTE_MS);
    expectProblem(await confirm(expired), 'invalid_recovery_link');
    await requestReset(user.email);
    const outdated = await mailedToken(user, 2);
    await user.api.post('/auth/password', { current: user.password, new: NEW_PASSWORD });
    expectProblem(await lookUp(outdated), 'invalid_recovery_link');
    expectProblem(await confirm(outdated), 'invalid_recovery_link');
  });

  it('sets one password for two concurrent uses of a link', async () => {
    const user = await service.signUp();
    await requestReset(user.email);
    const token = await mailedToken(user);
    const passwords = ['the first password', 'the second password', 'the third password'];
    const answers = await Promise.all(passwords.map((password) => confirm(token, password)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await logIn(user, winner)).status).toBe(200);
  });

  it('lets a user log in again who was locked out by wrong passwords', async () => {
    const user = await service.signUp();
    for (let times = 0; times < 10; times++) await logIn(user, 'wrong');
    expectProblem(await logIn(user, user.password), 'too_many_logins');
    await requestReset(user.email);
    await confirm(await mailedToken(user));
    expect((await logIn(user, NEW_PASSWORD)).status).toBe(200);
  });

  it.each([
    ['', '/password'],
    ['short', '/password'],
    ['ü'.repeat(600), '/password'],
  ])('refuses the password %j and keeps the link', async (password, pointer) => {
    const user = await service.signUp();
    await requestReset(user.email);
    const token = await mailedToken(user);
    expectInvalid(await confirm(token, password), pointer);
    expect((await lookUp(token)).status).toBe(200);
  });

  it.each(['', 'nonsense', `tsn_rec_${'0'.repeat(38)}`, `tsn_inv_${'a'.repeat(38)}`])(
    'refuses the recovery token %j',
    async (token) => {
      expectProblem(await lookUp(token), 'invalid_recovery_link');
      expectProblem(await confirm(token), 'invalid_recovery_link');
    },
  );

  it('refuses a reset that another site asks for', async () => {
    const headers = { origin: 'https://evil.example' };
    expectProblem(await requestReset('ada@example.com', headers), 'cross_origin');
  });

  it('keeps answering while the mail server refuses, and logs no token', async () => {
    const user = await service.signUp();
    mail.refuseWith(550);
    expect((await requestReset(user.email)).status).toBe(202);
    await waitFor('the failure', async () => lines.some((line) => line.includes('was not sent')));
    mail.refuseWith(null);
    await requestReset(user.email);
    await mailedToken(user);
    expect(lines.filter((line) => line.includes('tsn_rec_'))).toEqual([]);
    const { rows } = await service.database.pool.query('SELECT r::text AS text FROM recovery_links r');
    expect(rows.filter(({ text }) => text.includes('tsn_rec_'))).toEqual([]);
  });

  it('answers the same if the service sends no mail, which it tells the login page', async () => {
    const silent = await startTestService({ roles: ['management'], database: service.database });
    const api = new ApiClient(silent.managementUrl);
    expect((await api.post('/auth/password-reset', { email: 'ada@example.com' })).status).toBe(202);
    expect((await api.get('/auth/options')).body.passwordReset).toBe(false);
    expect((await client().get('/auth/options')).body.passwordReset).toBe(true);
    await silent.stop();
  });

  it('deletes recovery links after a day', async () => {
    const user = await service.signUp();
    await requestReset(user.email);
    await mailedToken(user);
    clock.advance(25 * 60 * MINUTE_MS);
    await service.maintain();
    const { rows } = await service.database.pool.query('SELECT FROM recovery_links');
    expect(rows).toEqual([]);
  });
});

describe('a recovery link of an OWNER', () => {
  it('sets a member’s password by the link of an OWNER, with a notice and an audit entry', async () => {
    const { owner, member } = await signUpPair(service);
    const answer = await makeLink(owner, member.id);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      url: expect.stringMatching(/^https:\/\/tocsin\.example\.com\/app\/reset#tsn_rec_\w{38}$/),
      hint: null,
      expiresAt: expect.any(String),
    });
    expect((await member.api.get('/auth/notices')).body).toMatchObject([
      { kind: 'recovery_link_created', by: { id: owner.id } },
    ]);
    expect((await confirm(answer.body.url.split('#')[1])).status).toBe(200);
    expect((await logIn(member, NEW_PASSWORD)).status).toBe(200);
    const actions = (await owner.api.get('/organizations/audit')).body.map(
      ({ action, targetId }: { action: string; targetId: string }) => [action, targetId],
    );
    expect(actions.slice(0, 2)).toEqual([
      ['account.password_reset', member.id],
      ['member.recovery_link_created', member.id],
    ]);
  });

  it('replaces the earlier recovery link of an OWNER', async () => {
    const { owner, member } = await signUpPair(service);
    const [first, second] = [await makeLink(owner, member.id), await makeLink(owner, member.id)];
    expectProblem(await lookUp(first.body.url.split('#')[1]), 'invalid_recovery_link');
    expect((await lookUp(second.body.url.split('#')[1])).status).toBe(200);
  });

  it('lets only OWNERs create a recovery link, and only for other members of their organization', async () => {
    const { owner, member } = await signUpPair(service);
    const stranger = await service.signUp();
    expectProblem(await makeLink({ ...member, organizationId: owner.organizationId }, owner.id), 'forbidden');
    expectProblem(
      await makeLink({ ...stranger, organizationId: owner.organizationId }, member.id),
      'forbidden',
    );
    expectProblem(await makeLink(owner, owner.id), 'forbidden');
    expectProblem(await makeLink(owner, stranger.id), 'not_found');
    expectProblem(await makeLink(owner, 'nonsense'), 'not_found');
  });

  it('creates no recovery link for an added user who has only dismissed the notice', async () => {
    const [owner, victim] = [await service.signUp(), await service.signUp()];
    await owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: victim.id });
    expectProblem(await makeLink(owner, victim.id), 'membership_not_confirmed');
    const [notice] = (await victim.api.get('/auth/notices')).body;
    await victim.api.delete(`/auth/notices/${notice.id}`);
    expectProblem(await makeLink(owner, victim.id), 'membership_not_confirmed');
  });

  it('ends a recovery link when its OWNER steps down or the member leaves', async () => {
    const { owner, member } = await signUpPair(service);
    const path = `/organizations/${owner.organizationId}/members`;
    await owner.api.patch(`${path}/${member.id}`, { role: 'OWNER' });
    const link = await makeLink({ ...member, organizationId: owner.organizationId }, owner.id);
    await owner.api.patch(`${path}/${member.id}`, { role: 'MEMBER' });
    expectProblem(await confirm(link.body.url.split('#')[1]), 'invalid_recovery_link');
    const other = await makeLink(owner, member.id);
    await member.api.post('/organizations/me/leave');
    expectProblem(await confirm(other.body.url.split('#')[1]), 'invalid_recovery_link');
  });
});
