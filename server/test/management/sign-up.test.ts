import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

describe('sign-up', async () => {
  const service = await startTestService();
  const secure = await startTestService({
    roles: ['management'],
    database: service.database,
    environment: { PUBLIC_URL: 'https://tocsin.example.com' },
  });
  const api = () => new ApiClient(service.managementUrl);
  const person = (changes: Record<string, unknown> = {}) => ({
    name: 'Ada Lovelace',
    email: `${randomUUID()}@example.com`,
    password: 'correct horse',
    ...changes,
  });

  it('answers 201 with exactly the user and an organization named after the user', async () => {
    const answer = await api().post('/auth/signup', person({ name: '  Ada  ', email: ' Ada@Example.COM ' }));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: { id: expect.stringMatching(/^usr_[0-9a-z]{26}$/), name: 'Ada', email: 'ada@example.com' },
      organization: { id: expect.stringMatching(/^org_[0-9a-z]{26}$/), name: 'Ada', plan: 'free' },
    });
  });

  it('logs the user in as OWNER of an organization without projects', async () => {
    const user = await service.signUp();
    expect((await user.api.get('/auth/me')).status).toBe(200);
    expect((await user.api.get('/organizations/members')).body).toMatchObject([
      { role: 'OWNER', user: { id: user.id } },
    ]);
    expect((await user.api.get('/projects')).body).toEqual([]);
  });

  it('sets the session cookie for 7 days, out of reach of scripts and other sites', async () => {
    const [cookie = '', ...others] = (await api().post('/auth/signup', person())).headers.getSetCookie();
    expect(others).toEqual([]);
    const [value, ...attributes] = cookie.split('; ');
    expect(value).toMatch(/^session=[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax']);
  });

  it('sets the cookie Secure if the public address is https', async () => {
    const answer = await new ApiClient(secure.managementUrl).post('/auth/signup', person());
    const attributes = answer.headers.getSetCookie()[0]?.split('; ').slice(1);
    expect(attributes?.toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=604800',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
  });

  it.each([
    ['the same form', 'josé.jõe@example.com', 'josé.jõe@example.com'],
    ['another case', 'grace@example.com', 'Grace@EXAMPLE.com'],
    ['decomposed letters', 'zoë@example.com', 'zoe\u0308@example.com'],
    ['decomposed capital letters', 'chloé@example.com', 'CHLOE\u0301@EXAMPLE.COM'],
    ['a capital that has no composed form', '\u01f0an@example.com', 'J\u030cAN@example.com'],
    ['surrounding spaces', 'alan@example.com', '\t alan@example.com \n'],
  ])('refuses an e-mail address that is registered already in %s', async (_how, first, second) => {
    const domain = `${randomUUID()}.`;
    const signUp = (email: string) =>
      api().post('/auth/signup', person({ email: email.replace('@', `@${domain}`) }));
    expect((await signUp(first)).status).toBe(201);
    expectProblem(await signUp(second), 'email_taken');
  });

  it('creates one account for many simultaneous sign-ups with one address', async () => {
    const email = `${randomUUID()}@example.com`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api().post('/auth/signup', person({ email }))),
    );
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      201,
      ...Array(7).fill(409),
    ]);
  });

  it.each([
    ['/name', 'that is missing', { name: undefined }],
    ['/name', 'of spaces', { name: ' \t ' }],
    ['/name', 'of 201 characters', { name: 'x'.repeat(201) }],
    ['/name', 'that is a number', { name: 7 }],
    ['/name', 'that is null', { name: null }],
    ['/email', 'that is missing', { email: undefined }],
    ['/email', 'without an @', { email: 'nobody' }],
    ['/email', 'with two @', { email: 'two@at@example.com' }],
    ['/email', 'that is an array', { email: ['a@example.com'] }],
    ['/password', 'that is missing', { password: undefined }],
    ['/password', 'of 7 characters', { password: '1234567' }],
    ['/password', 'of 7 characters and 14 bytes', { password: 'é'.repeat(7) }],
    ['/password', 'that is a number', { password: 12345678 }],
    ['/password', 'of 1,025 bytes', { password: 'x'.repeat(1025) }],
    ['/password', 'of 513 characters and 1,026 bytes', { password: 'é'.repeat(513) }],
  ])('refuses a %s %s', async (pointer, _what, changes) => {
    const answer = await api().post('/auth/signup', person(changes));
    expectInvalid(answer, pointer);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['8 digits', '12345678'],
    ['8 spaces', '        '],
    ['8 characters of 3 bytes', '密碼密碼密碼密碼'],
    ['1,024 characters', 'x'.repeat(1024)],
    ['512 characters of 2 bytes', 'é'.repeat(512)],
  ])('accepts a password of %s, which then logs in', async (_what, password) => {
    const { email, ...rest } = person({ password });
    expect((await api().post('/auth/signup', { email, ...rest })).status).toBe(201);
    expect((await api().post('/auth/login', { email, password })).status).toBe(200);
    expectProblem(
      await api().post('/auth/login', { email, password: `${password.slice(1)}!` }),
      'invalid_credentials',
    );
  });

  it('accepts a name of 200 characters, whatever their size in bytes', async () => {
    const name = '𝔸'.repeat(200);
    const { body } = await api().post('/auth/signup', person({ name: ` ${name} ` }));
    expect(body.user.name).toBe(name);
  });

  it('ignores fields that it does not know', async () => {
    const { body } = await api().post(
      '/auth/signup',
      person({ id: 'usr_0', plan: 'enterprise', role: 'MEMBER', organization: { plan: 'pro' } }),
    );
    expect(body.user.id).not.toBe('usr_0');
    expect(body.organization.plan).toBe('free');
  });
});

describe('sign-ups from one address', async () => {
  const clock = new StillClock();
  const environment = { TRUST_PROXY: '127.0.0.1' };
  const service = await startTestService({ roles: ['management'], clock, environment });
  const api = new ApiClient(service.managementUrl);
  let count = 0;
  const signUpFrom = (address: string | null) =>
    api.post(
      '/auth/signup',
      { name: 'Ada', email: 'taken@example.com', password: `a password ${count++}` },
      { headers: address === null ? {} : { 'x-forwarded-for': address } },
    );

  it('allows 60 sign-ups from one address at once, and then one a second', async () => {
    for (let index = 0; index < 60; index++) {
      const { status } = await signUpFrom('203.0.113.1');
      expect(status).toBe(index === 0 ? 201 : 409);
    }
    const refused = await signUpFrom('203.0.113.1');
    expectProblem(refused, 'too_many_signups');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await signUpFrom('203.0.113.2')).status).toBe(409);
    clock.advance(1_000);
    expect((await signUpFrom('203.0.113.1')).status).toBe(409);
    expectProblem(await signUpFrom('203.0.113.1'), 'too_many_signups');
  });

  it('counts sign-ups for the whole network of an IPv6 subscriber', async () => {
    for (let index = 0; index < 60; index++) {
      expect((await signUpFrom(`2001:db8:1:2::${index.toString(16)}`)).status).toBe(409);
    }
    expectProblem(await signUpFrom('2001:db8:1:2:ffff::1'), 'too_many_signups');
    expect((await signUpFrom('2001:db8:1:3::1')).status).toBe(409);
  });

  it('does not limit sign-ups from the machine itself, which no header can claim to be', async () => {
    for (let index = 0; index < 61; index++) expect((await signUpFrom(null)).status).toBe(409);
    for (let index = 0; index < 60; index++) await signUpFrom('::1');
    expectProblem(await signUpFrom('::1'), 'too_many_signups');
  });

  it('limits sign-ups whatever a proxy passes on as the address, ignoring ports', async () => {
    for (let index = 0; index < 30; index++) {
      expect((await signUpFrom(`203.0.113.7:${40_000 + index}`)).status).toBe(409);
      expect((await signUpFrom(`nonsense ${'x'.repeat(index * 100)}`)).status).toBe(409);
    }
    for (let index = 0; index < 30; index++) {
      expect((await signUpFrom('203.0.113.7')).status).toBe(409);
      expect((await signUpFrom('_hidden')).status).toBe(409);
    }
    expectProblem(await signUpFrom('203.0.113.7:50000'), 'too_many_signups');
    expectProblem(await signUpFrom('unknown'), 'too_many_signups');
  });
});

describe('sign-ups through a proxy on this machine', async () => {
  const service = await startTestService({ roles: ['management'], clock: new StillClock() });
  const api = new ApiClient(service.managementUrl);
  const signUp = () =>
    api.post(
      '/auth/signup',
      { name: 'Ada', email: 'taken@example.com', password: 'a long password' },
      { headers: { 'x-forwarded-for': '203.0.113.1' } },
    );

  it('limits sign-ups through a proxy that TRUST_PROXY does not name like those of one address', async () => {
    for (let index = 0; index < 60; index++) await signUp();
    expectProblem(await signUp(), 'too_many_signups');
  });
});
