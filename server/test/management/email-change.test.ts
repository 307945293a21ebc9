import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { startMailServer } from '../support/mail-server.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { signUpPair, startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const MINUTE_MS = 60_000;
const UNCONFIRMED = { ok: false, reason: expect.stringContaining('isn’t confirmed yet') };
const clock = new TestClock();
const mail = await startMailServer();
const service = await startTestService({
  roles: ['management'],
  clock,
  environment: {
    PUBLIC_URL: 'https://tocsin.example.com',
    SMTP_URL: mail.url,
    SMTP_FROM: 'Tocsin <tocsin@example.com>',
  },
});

const newAddress = () => `${randomUUID()}@example.com`;
const ask = ({ api, password }: TestUser, email: string, given = password) =>
  api.post('/auth/email', { email, password: given });
const confirm = (token: string) =>
  new ApiClient(service.managementUrl).post('/auth/email/confirm', { token });
const logIn = (email: string, password: string) =>
  new ApiClient(service.managementUrl).post('/auth/login', { email, password });
const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));

async function mailedToken(email: string, count = 1): Promise<string> {
  await waitFor('the mail', async () => mailsTo(email).length >= count);
  const [, token = ''] = /app\/confirm#(tsn_eml_\w{38})/.exec(mailsTo(email)[count - 1]?.text ?? '') ?? [];
  return token;
}

/** Verifies the address of a user, as a mailed link does that sets a password, and logs in again. */
async function verifyAddress({ api, email, password }: TestUser): Promise<void> {
  const client = new ApiClient(service.managementUrl);
  await client.post('/auth/password-reset', { email });
  const find = () =>
    mailsTo(email)
      .map(({ text }) => /#(tsn_rec_\w{38})/.exec(text)?.[1])
      .find(Boolean);
  const token = await waitFor('the link', find);
  expect((await client.post('/auth/password-reset/confirm', { token, password })).status).toBe(200);
  expect((await api.post('/auth/login', { email, password })).status).toBe(200);
}

/** Creates a mail target; the returned function sends it a test message. */
async function addTarget({ api }: TestUser, to: string) {
  const { body } = await api.post('/notification-targets', {
    kind: 'email',
    name: 'On call',
    config: { to },
  });
  return async () => (await api.post(`/notification-targets/${body.id}/test`)).body;
}

describe('a change of the email address', () => {
  it('takes effect by the link that is mailed to the new one, and tells the old one', async () => {
    const user = await service.signUp();
    const token = await user.createToken('read');
    const email = newAddress();
    expect((await ask(user, ` ${email.toUpperCase()} `)).status).toBe(202);
    const link = await mailedToken(email);
    expect((await user.api.get('/auth/me')).body.user.email).toBe(user.email);
    expect(await confirm(link)).toMatchObject({ status: 200, body: { email } });
    // Sessions and tokens go on.
    for (const api of [user.api, token]) expect((await api.get('/auth/me')).body.user.email).toBe(email);
    expectProblem(await logIn(user.email, user.password), 'invalid_credentials');
    expect((await logIn(email, user.password)).status).toBe(200);
    await waitFor('the mail to the old address', async () => mailsTo(user.email).length === 1);
    expect(mailsTo(user.email)[0]?.text).not.toContain('tsn_eml_');
    expect((await user.api.get('/organizations/audit')).body[0]).toMatchObject({
      action: 'account.email_changed',
      before: { email: user.email },
      after: { email, confirmedBy: 'link' },
    });
    expectProblem(await confirm(link), 'invalid_recovery_link');
  });

  it('keeps mail targets on the former address if it was verified, and says so there', async () => {
    const user = await service.signUp();
    await verifyAddress(user);
    const test = await addTarget(user, user.email);
    expect(await test()).toMatchObject({ ok: true });
    const email = newAddress();
    await ask(user, email);
    await confirm(await mailedToken(email));
    expect(await test()).toMatchObject({ ok: true });
    const notice = await waitFor('the notice', () =>
      mailsTo(user.email).find(({ text }) => text.includes('has another email address now')),
    );
    expect(notice.text).toContain('Notification targets that name this address keep sending to it.');
    // The new address is verified by the link.
    expect(await (await addTarget(user, email))()).toMatchObject({ ok: true });
  });

  it('ends the mail to the former address of a member with the membership', async () => {
    const { owner, member } = await signUpPair(service);
    await verifyAddress(member);
    const test = await addTarget(owner, member.email);
    const email = newAddress();
    await ask(member, email);
    await confirm(await mailedToken(email));
    expect(await test()).toMatchObject({ ok: true });
    const path = `/organizations/${owner.organizationId}/members/${member.id}`;
    expect((await owner.api.delete(path)).status).toBe(204);
    expect(await test()).toMatchObject(UNCONFIRMED);
    // Another membership is another agreement.
    clock.advance(1);
    await owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: member.id });
    expect((await member.api.post(`/organizations/${owner.organizationId}/stay`)).status).toBe(204);
    expect(await test()).toMatchObject(UNCONFIRMED);
  });

  it('ends the mail to the former address of a member who leaves during the change', async () => {
    const { owner, member } = await signUpPair(service);
    await verifyAddress(member);
    const test = await addTarget(owner, member.email);
    const email = newAddress();
    await ask(member, email);
    const token = await mailedToken(email);
    const { pool } = service.database;
    const connection = await beginHeldTransaction(pool);
    try {
      await connection.query('SELECT FROM recovery_links WHERE email = $1 FOR UPDATE', [email]);
      const change = confirm(token);
      await waitFor('the wait for the link', async () => (await countLockWaits(pool)) === 1);
      expect((await member.api.post('/organizations/me/leave')).status).toBe(200);
      await connection.query('COMMIT');
      expect((await change).status).toBe(200);
    } finally {
      connection.release();
    }
    expect(await test()).toMatchObject(UNCONFIRMED);
  });

  it('goes on with mail to a former address that has confirmed by itself, after the membership', async () => {
    const { owner, member } = await signUpPair(service);
    const test = await addTarget(owner, member.email);
    const asked = () =>
      mailsTo(member.email).flatMap(({ text }) => /#(tsn_adr_\w{38})/.exec(text)?.[1] ?? []);
    await waitFor('the question', () => asked()[0]);
    await verifyAddress(member);
    const email = newAddress();
    await ask(member, email);
    await confirm(await mailedToken(email));
    const targets = await owner.api.get('/notification-targets');
    expect(targets.body).toMatchObject([{ confirmation: { state: 'confirmed' } }]);
    expect((await owner.api.post(`/notification-targets/${targets.body[0].id}/confirmation`)).status).toBe(
      200,
    );
    const token = await waitFor('the repeated question', () => asked()[1]);
    const stranger = new ApiClient(service.managementUrl);
    const lookup = () => stranger.post('/notification-recipients/lookup', { token });
    expect((await lookup()).body).toMatchObject({ isConfirmed: false });
    expect((await stranger.post('/notification-recipients/confirm', { token })).status).toBe(204);
    expect((await lookup()).body).toMatchObject({ isConfirmed: true });
    expect((await member.api.post('/organizations/me/leave')).status).toBe(200);
    expect(await test()).toMatchObject({ ok: true });
  });

  it('does not confirm a former address that was never verified', async () => {
    const user = await service.signUp();
    const test = await addTarget(user, user.email);
    const email = newAddress();
    await ask(user, email);
    await confirm(await mailedToken(email));
    expect(await test()).toMatchObject(UNCONFIRMED);
  });

  it('answers the same for the address of another account, which gets a mail without a link', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const [free, taken] = [await ask(user, newAddress()), await ask(user, other.email)];
    expect({ status: taken.status, body: taken.body }).toEqual({ status: free.status, body: free.body });
    expect(await mailedToken(other.email)).toBe('');
    expect(mailsTo(other.email)[0]?.text).toContain('Your account already has it');
    // As many requests of either kind are too many.
    for (const email of [other.email, newAddress()]) {
      for (let count = mailsTo(email).length; count < 3; count++)
        expect((await ask(user, email)).status).toBe(202);
      const refused = await ask(user, email);
      expectProblem(refused, 'too_many_email_changes');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('gives an address to one of two accounts that ask for it', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const email = newAddress();
    await ask(user, email);
    await ask(other, email);
    const links = [await mailedToken(email), await mailedToken(email, 2)];
    const answers = await Promise.all(links.map(confirm));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    for (const answer of answers) if (answer.status === 409) expectProblem(answer, 'email_taken');
  });

  it('needs the current password, and counts wrong ones as those of logins', async () => {
    const user = await service.signUp();
    const email = newAddress();
    expectInvalid(await ask(user, email, 'wrong'), '/password');
    expectInvalid(await ask(user, user.email), '/email');
    expectInvalid(await ask(user, 'nonsense'), '/email');
    for (let count = 1; count < 10; count++) await ask(user, email, 'wrong');
    expectProblem(await ask(user, email), 'too_many_logins');
    expect(mailsTo(email)).toEqual([]);
  });

  it('needs a session: neither an access token nor an ended session is enough', async () => {
    const user = await service.signUp();
    const body = { email: newAddress(), password: user.password };
    expectProblem(
      await (await user.createToken('write', 'admin')).post('/auth/email', body),
      'insufficient_scope',
    );
    const foreign = { origin: 'https://evil.example.com' };
    expectProblem(await user.api.post('/auth/email', body, { headers: foreign }), 'cross_origin');
    const copy = new ApiClient(service.managementUrl, { cookie: user.api.cookie ?? '' });
    await user.api.post('/auth/logout');
    expectProblem(await copy.post('/auth/email', body), 'unauthenticated');
  });

  it('ends the link with a newer one, a change of the password, or 30 minutes', async () => {
    const user = await service.signUp();
    const [first, second] = [newAddress(), newAddress()];
    await ask(user, first);
    const replaced = await mailedToken(first);
    await ask(user, second);
    const next = await mailedToken(second);
    expectProblem(await confirm(replaced), 'invalid_recovery_link');
    await user.api.post('/auth/password', { current: user.password, new: 'quite another one' });
    expectProblem(await confirm(next), 'invalid_recovery_link');
    const late = await service.signUp();
    await ask(late, first);
    const expired = await mailedToken(first, 2);
    clock.advance(31 * MINUTE_MS);
    expectProblem(await confirm(expired), 'invalid_recovery_link');
  });

  it('ends the recovery links that were mailed to the old address', async () => {
    const user = await service.signUp();
    const client = new ApiClient(service.managementUrl);
    await client.post('/auth/password-reset', { email: user.email });
    await waitFor('the mail', async () => mailsTo(user.email).length === 1);
    const [, token = ''] = /#(tsn_rec_\w{38})/.exec(mailsTo(user.email)[0]?.text ?? '') ?? [];
    const email = newAddress();
    await ask(user, email);
    // A link of one kind is none of the other.
    const link = await mailedToken(email);
    expectProblem(await client.post('/auth/password-reset/lookup', { token: link }), 'invalid_recovery_link');
    expectProblem(await confirm(token), 'invalid_recovery_link');
    await confirm(link);
    expectProblem(await client.post('/auth/password-reset/lookup', { token }), 'invalid_recovery_link');
  });

  it('mails no recovery link to an address that is changed while the link is issued', async () => {
    const user = await service.signUp();
    const email = newAddress();
    const { pool } = service.database;
    const connection = await beginHeldTransaction(pool);
    try {
      await connection.query('UPDATE users SET email = $2 WHERE email = $1', [user.email, email]);
      const client = new ApiClient(service.managementUrl);
      await client.post('/auth/password-reset', { email: user.email });
      await waitFor('the wait for the user', async () => (await countLockWaits(pool)) === 1);
      await connection.query('COMMIT');
      await client.post('/auth/password-reset', { email });
    } finally {
      connection.release();
    }
    await waitFor('the mail to the new address', () => mailsTo(email)[0]);
    const { rows } = await pool.query(
      'SELECT FROM recovery_links l JOIN users u ON u.id = l.user_id WHERE u.email = $1',
      [email],
    );
    expect(rows).toHaveLength(1);
    expect(mailsTo(user.email)).toEqual([]);
  });
});

it('refuses a change of the address where the service sends no mail, and says who can make it', async () => {
  const user = await (await startTestService()).signUp();
  const answer = await ask(user, newAddress());
  expectProblem(answer, 'no_account_mail');
  expect(answer.body.detail).toContain('tocsin change-email');
});

it('changes the name of a user at once, everywhere', async () => {
  const { api, id } = await service.signUp('Ada');
  const answer = await api.patch('/auth/me', { name: '  Ada Lovelace ' });
  expect(answer).toMatchObject({ status: 200, body: { user: { id, name: 'Ada Lovelace' } } });
  expect((await api.get('/auth/me')).body).toEqual(answer.body);
  expect((await api.get('/organizations/members')).body).toMatchObject([{ user: { name: 'Ada Lovelace' } }]);
  for (const name of ['', ' ', 'x'.repeat(201), 'Ada\u202e'])
    expectInvalid(await api.patch('/auth/me', { name }), '/name');
});
