import { describe, expect, it } from 'vitest';
import { NAMED_SECRETS, SHAPED_SECRETS } from '../../test/support/made-up-secrets.ts';
import { OrdinaryIds } from '../../test/support/ordinary-ids.ts';
import { rounds } from '../../test/support/test-length.ts';
import { scrub } from './scrub.ts';

const nested = (value: unknown) => ({ payload: { a: { b: [{ c: { d: value } }] } } });
const json = (value: unknown) => JSON.stringify(value);
const twice = (text: string) => encodeURIComponent(encodeURIComponent(text));

/** Places of a secret that its form shows. */
const ANYWHERE: ((secret: string) => object)[] = [
  (secret) => ({ message: secret }),
  (secret) => ({ message: `The call with ${secret} failed.` }),
  (secret) => ({ message: `Refused "${secret}", again` }),
  (secret) => ({ message: `sent (${secret})` }),
  (secret) => ({ message: `step=3 note=${secret}` }),
  (secret) => ({ message: `X-Note: ${secret}` }),
  (secret) => ({ message: json({ note: secret }) }),
  (secret) => ({ message: json({ body: json({ note: secret }) }) }),
  (secret) => ({ message: json({ log: `first\n${secret}\tlast` }) }),
  (secret) => ({ type: secret }),
  (secret) => ({ source: secret }),
  (secret) => ({ release: secret }),
  (secret) => ({ fingerprint: ['{{ default }}', secret] }),
  (secret) => ({ stack: `Error: ${secret}\n    at pay (/app/pay.js:10:5)` }),
  (secret) => ({ message: `GET /login?next=%2Fnote%3Fnote%3D${secret.replaceAll(' ', '%20')}%26x%3D1` }),
  (secret) => ({ payload: { note: secret } }),
  (secret) => ({ payload: { [secret]: 1 } }),
  (secret) => ({ payload: { notes: ['a', secret] } }),
  (secret) => ({ payload: { headers: [['X-Note', secret]] } }),
  (secret) => ({ payload: { breadcrumbs: [{ data: { url: `https://shop.example/?note=${secret}` } }] } }),
  (secret) => ({ cause: { frames: [{ file: `https://shop.example/pay.js?${secret}` }] } }),
  (secret) => nested(secret),
];

/** Places of a secret that its name shows. */
const BEHIND_NAME: ((secret: string) => object)[] = [
  (secret) => ({ payload: { password: secret } }),
  (secret) => ({ payload: { user: { newPasswordConfirm: secret } } }),
  (secret) => ({ payload: { request: { headers: { 'X-Api-Key': secret } } } }),
  (secret) => ({ payload: { headers: [['Authorization', secret]] } }),
  (secret) => ({ payload: { rawHeaders: ['Host', 'shop.example', 'X-Api-Key', secret, 'Accept', '*/*'] } }),
  (secret) => ({ payload: { parameters: [{ name: 'client_secret', value: secret }] } }),
  (secret) => ({ payload: { tags: [{ Key: 'Password', Value: secret }] } }),
  (secret) => ({ payload: { cookies: { sid: secret } } }),
  (secret) => ({ payload: { credentials: [{ login: 'app', with: [secret] }] } }),
  (secret) => ({ payload: { env: { DB_PASSWORD: secret, MYSQLPASSWORD: secret } } }),
  (secret) => ({ correlation: { order_id: 'ord_1042', session_id: secret } }),
  (secret) => ({ message: `GET /callback?state=1&access_token=${secret}&x=1` }),
  (secret) => ({ message: `user=app&user[password]=${secret}` }),
  (secret) => ({ message: `user%5Bname%5D=app&user%5Bpassword%5D=${encodeURIComponent(secret)}` }),
  (secret) => ({ message: `GET /login?next=%2Fback%3Faccess_token%3D${encodeURIComponent(secret)}%26x%3D1` }),
  (secret) => ({ message: `data=${encodeURIComponent(json({ user: 'app', password: secret }))}` }),
  (secret) => ({ message: `connect host=db password=${secret} port=5432` }),
  (secret) => ({ message: `mysqldump --password=${secret} shop` }),
  (secret) => ({ message: json({ log: `first\nsession_id=${secret} auth=${secret}` }) }),
  (secret) => ({ message: json({ 'X-Api-Key': [secret] }) }),
  (secret) => ({ message: `map[Host:[shop.example] X-Api-Key:[${secret}]]` }),
  (secret) => ({ message: `Authorization: Digest username="app", realm="shop", response="${secret}"` }),
  (secret) => ({ message: `mysqldump --password ${secret} shop` }),
  (secret) => ({ message: `mysqldump --password '${secret}' shop` }),
  (secret) => ({ payload: { 'sys.argv': ['manage.py', '--auth-token', secret, 'import'] } }),
  (secret) => ({ message: `Authorization: Bearer ${secret}` }),
  (secret) => ({ message: `curl -H 'Cookie: theme=dark; session=${secret}' https://shop.example` }),
  (secret) => ({ message: `GET / HTTP/1.1\r\nCookie:theme=dark; session=${secret}\r\nHost:shop.example` }),
  (secret) => ({ message: `SMTP_PASS=${secret} npm start` }),
  (secret) => ({ message: `user=app&pass=${secret}` }),
  (secret) => ({ message: json({ user: 'app', password: secret }) }),
  (secret) => ({ message: json(json({ user: 'app', refreshToken: secret })) }),
  (secret) => ({ message: `{:user=>"app", :password=>"${secret}"}` }),
  (secret) => ({ message: `<login><password>${secret}</password></login>` }),
  (secret) => ({ message: `connect to redis://:${secret.replaceAll('/', '%2F')}@cache:6379` }),
  (secret) => ({ payload: { apiKeys: [secret], accessTokens: { shop: secret } } }),
  (secret) => ({ message: `CREATE USER app IDENTIFIED BY '${secret}'` }),
  (secret) => ({ message: `create user app identified with caching_sha2_password by "${secret}";` }),
  (secret) => ({ message: json({ sql: `ALTER ROLE app WITH PASSWORD '${secret}' LOGIN` }) }),
  (secret) => ({ message: `curl -u app:${secret} https://shop.example` }),
  (secret) => ({ message: `curl -sSu 'app:${secret}' https://shop.example` }),
  (secret) => ({ message: `curl https://shop.example --user=app:${secret}` }),
  (secret) => ({ message: json(json(json({ user: 'app', password: secret }))) }),
  (secret) => ({ message: `GET /?next=${twice(`/a?next=1&access_token=${secret}&x=1`)}&y=1` }),
  (secret) => ({ message: `GET /?data=${twice(json({ user: 'app', password: secret }))}` }),
  (secret) => ({ message: `tried ${secret} for app`, payload: { password: secret } }),
];

/** The part of a secret that must not be left: a scheme, a user or a host may. */
const coreOf = (secret: string) =>
  /^(?:\w+ |\w+:\/\/(?:app:)?)?(?<core>[^@]{6,})(?:@.*)?$/s.exec(secret)?.groups?.core ?? secret;

describe('secrets', () => {
  it.each(SHAPED_SECRETS.map((secret, index) => [`${secret.slice(0, 4)}… (${index})`, secret]))(
    'replaces a secret of a known form in each of 22 places: %s',
    (_name, secret) => {
      expect(ANYWHERE).toHaveLength(22);
      const left = ANYWHERE.map((place) => json(scrub(place(secret)).fields)).filter(
        (text) => text.includes(coreOf(secret)) || text.includes(json(coreOf(secret)).slice(1, -1)),
      );
      expect(left).toEqual([]);
    },
  );

  it.each(NAMED_SECRETS)('replaces a secret with a name in each of 20 places and more: %s', (secret) => {
    expect(BEHIND_NAME.length).toBeGreaterThanOrEqual(20);
    const left = BEHIND_NAME.map((place) => json(scrub(place(secret)).fields)).filter((text) =>
      [secret, encodeURIComponent(secret), twice(secret)].some((form) => text.includes(form)),
    );
    expect(left).toEqual([]);
  });
});

describe('ordinary values', () => {
  it('leaves every id of the usual kinds as it is: 100,000 of them in the long form', () => {
    const ids = new OrdinaryIds(7);
    const changed: string[] = [];
    let drawn = 0;
    while (drawn < rounds(30_000, 100_000)) {
      for (const id of ids.draw()) {
        drawn++;
        const { counts } = scrub({
          message: `Could not find ${id}, status 404`,
          source: id,
          correlation: { order_id: id, trace: id },
          payload: {
            id,
            order_number: id,
            note: id,
            url: `/orders/${id}/items?from=${id}`,
            text: `{"id":"${id}"}`,
          },
        });
        if (counts !== null) changed.push(id);
      }
    }
    expect(changed).toEqual([]);
  });
});

it.each([
  'docker run -u 1000:1000 -v /data:/data shop',
  'docker run --user node:node shop',
  'curl -u app https://shop.example:8443/orders',
  'curl -fsSL -o /dev/null https://shop.example/up:1',
  'curl -u "$USER:$PASSWORD" https://shop.example',
  'The customer is identified by email, order 17.',
  'PASSWORD is wrong',
  'the field with password "',
])('leaves an ordinary text as it is: %s', (message) => {
  expect(scrub({ message })).toEqual({ fields: { message }, counts: null });
});

describe('hostile texts', () => {
  it.each([
    'token:',
    'token: ',
    'token:[Filtered]',
    'password="',
    "password='",
    'cookie: a',
    'cookie: [Filtered]=',
    'token:1/',
    '-u=curl:[Filtered]',
    'eyJaaaaaaaa-',
    'sk-',
    'Basic ',
    '--token ',
    'token=a:1:2',
    'token=[',
    'authorization: digest ',
    '--token "[Filtered]',
    'token%3D',
    'token%3D%22',
    'token%3A%22[Filtered]',
    'token%253D',
    'token%253A%2522',
    '%253D%2522%255D',
    'curl -u a:',
    ' -uuuuuuu',
    " -u 'a",
    "IDENTIFIED BY '",
    "IDENTIFIED BY ''",
    'identified with "',
    'PASSWORD \\"',
    '%3D%22%5D',
    '://',
    'a://b:',
    '-----BEGIN PRIVATE KEY----- ',
    '4242 ',
    '42424242424242421',
    '<secret>',
    '\\"',
  ])('reads a megabyte of it in linear time: %s', (piece) => {
    const message = piece.repeat(Math.ceil(1_048_576 / piece.length));
    expect(scrub({ message }).fields.message.length).toBeLessThanOrEqual(message.length * 2);
  });
});
