import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const clock = new TestClock();
const mail = await startMailServer();
const smtp = { SMTP_URL: mail.url, SMTP_FROM: 'Tocsin <tocsin@example.com>' };
const service = await startTestService({
  roles: ['management'],
  clock,
  environment: { PUBLIC_URL: 'https://tocsin.example.com', ...smtp },
});

const address = () => `${randomUUID()}@example.com`;
const invite = ({ api, organizationId }: TestUser, body: object, headers: Record<string, string> = {}) =>
  api.post(`/organizations/${organizationId}/invitations`, body, { headers });
const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));
const mailTo = (email: string) => waitFor('the mail', () => mailsTo(email)[0]);

it('mails the working link of an invitation with an address', async () => {
  const owner = await service.signUp('Ada');
  const email = address();
  // Links never follow the request.
  const answer = await invite(owner, { email }, { 'x-forwarded-host': 'evil.example' });
  expect(answer).toMatchObject({ status: 201, body: { mail: 'sending' } });
  const { text, source } = await mailTo(email);
  expect(text).toContain('Ada invited you to the organization');
  expect(text.match(/\S+:\/\/\S+/g)).toEqual([answer.body.url]);
  expect(source).toMatch(/^Subject: An invitation to Tocsin\r$/m);
  expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/m);

  const api = new ApiClient(service.managementUrl);
  const person = { name: 'Grace', email, password: 'correct horse' };
  const invitation = new URL(answer.body.url).hash.slice(1);
  expect((await api.post('/auth/signup', { ...person, invitation })).body.organization.id).toBe(
    owner.organizationId,
  );
});

it('mails nothing for an invitation without an address, and no link in a name', async () => {
  const owner = await service.signUp('Ada https://evil.example <victim@example.com>');
  expect((await invite(owner, {})).body.mail).toBe('none');
  const email = address();
  await invite(owner, { email });
  const { to, source } = await mailTo(email);
  expect(to).toEqual([email]);
  expect(source).not.toMatch(/evil\.example|victim@e/);
});

it('mails at most 20 invitations of an organization in any hour, and still returns the link of others', async () => {
  const owner = await service.signUp();
  const states = [];
  for (let count = 0; count < 22; count++) {
    const { status, body } = await invite(owner, { email: address() });
    expect(status).toBe(201);
    expect(body.url).toContain('#tsn_inv_');
    states.push(body.mail);
  }
  expect(states).toEqual([...Array(20).fill('sending'), 'limited', 'limited']);
  expect((await invite(await service.signUp(), { email: address() })).body.mail).toBe('sending');
  clock.advance(59 * 60_000);
  expect((await invite(owner, { email: address() })).body.mail).toBe('limited');
  clock.advance(60_000);
  expect((await invite(owner, { email: address() })).body.mail).toBe('sending');
});

it('mails at most three invitations an hour to an address, from all organizations together', async () => {
  const email = address();
  const states = [];
  for (let count = 0; count < 4; count++)
    states.push((await invite(await service.signUp(), { email })).body.mail);
  expect(states).toEqual(['sending', 'sending', 'sending', 'limited']);
});

it('answers an invitation whose mail is refused, and mails none without PUBLIC_URL', async () => {
  mail.refuseWith(550);
  const email = address();
  expect((await invite(await service.signUp(), { email })).body.mail).toBe('sending');
  mail.refuseWith(null);
  const { database } = service;
  const withoutUrl = await startTestService({ roles: ['management'], database, clock, environment: smtp });
  const answer = await invite(await withoutUrl.signUp(), { email });
  expect(answer).toMatchObject({ status: 201, body: { mail: 'none' } });
  await withoutUrl.stop();
});
