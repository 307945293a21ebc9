import { describe, expect, it } from 'vitest';
import {
  DEFAULT_CHOICES,
  PERSONAL_RULES,
  type PersonalRule,
  SCRUB_RULES,
  type ScrubChoices,
} from './schema.ts';
import { scrub, toScrubSettings } from './scrub.ts';

const SECRET = ['hunter2', 'x7f3a9c1'].join('-');
const KEY = ['ghp', 'A1b2C3d4E5f6A1b2C3d4E5f6A1b2C3d4E5f6'].join('_');
const run = <Fields extends object>(fields: Fields, choices: Partial<ScrubChoices>) =>
  scrub(fields, toScrubSettings({ ...DEFAULT_CHOICES, ...choices }));

describe('safe names', () => {
  const safe = (fields: object, ...names: string[]) => run(fields, { safe: names }).fields;

  it.each([
    ['a field', { sessionId: SECRET }],
    ['a number', { session_id: 4_242_424_242_424_242 }],
    ['a list', { 'Session-ID': [SECRET, KEY] }],
    ['a known shape', { session_id: KEY }],
    ['a header', { headers: [['Session-Id', SECRET]] }],
    ['a labelled value', { tags: [{ name: 'session_id', value: SECRET }] }],
    ['a raw header', { rawHeaders: ['Session-Id', SECRET] }],
    ['an option of a program', { argv: ['--session-id', SECRET] }],
    ['a secret object', { credentials: { sessionId: SECRET } }],
  ])('keep the value of %s', (_, payload) => {
    const fields = { payload, correlation: { session_id: SECRET } };
    expect(safe(fields, 'session id')).toBe(fields);
  });

  it('keep a value that was found elsewhere, and replace it there', () => {
    const fields = { message: `sid ${SECRET}`, payload: { sessionId: SECRET, cookie: SECRET } };
    expect(safe(fields, 'session_id')).toEqual({
      message: 'sid [Filtered]',
      payload: { sessionId: SECRET, cookie: '[Filtered]' },
    });
  });

  it.each([
    ['a pair', { headers: [['X-Session-Id', SECRET]] }],
    ['a labelled value', { tags: [{ name: 'x_session_id', value: SECRET }] }],
    ['a label of AWS', { Tags: [{ Key: 'x_session_id', Value: [SECRET] }] }],
    ['a raw header', { rawHeaders: ['X-Session-Id', SECRET] }],
    ['an option of a program', { argv: ['--x-session-id', SECRET] }],
  ])('keep the value of %s that was found elsewhere', (_, kept) => {
    const payload = { ...kept, cookies: [['Cookie', `session_id=${SECRET}`]], list: ['a', SECRET] };
    expect(safe({ payload, note: SECRET }, 'x session id')).toEqual({
      payload: { ...kept, cookies: [['Cookie', '[Filtered]']], list: ['a', '[Filtered]'] },
      note: '[Filtered]',
    });
  });

  it('win over further names', () => {
    const fields = { payload: { taxId: SECRET, customerTaxId: SECRET } };
    const { fields: found } = run(fields, { names: ['tax id'], safe: ['tax id'], off: ['repeat'] });
    expect(found).toEqual({ payload: { taxId: SECRET, customerTaxId: '[Filtered]' } });
  });

  it('count as whole names alone', () => {
    const fields = { payload: { admin_session_id: SECRET, session_id_token: KEY } };
    expect(safe(fields, 'session id', 'token')).toEqual({
      payload: { admin_session_id: '[Filtered]', session_id_token: '[Filtered]' },
    });
  });

  it('keep what is in an object, but for fields with secret names', () => {
    const fields = { payload: { form: { note: KEY, deep: [{ text: KEY }], password: SECRET } } };
    expect(safe(fields, 'form')).toEqual({
      payload: { form: { note: KEY, deep: [{ text: KEY }], password: '[Filtered]' } },
    });
  });

  it('do not count for the own fields of an event', () => {
    const fields = { message: `token=${SECRET}`, payload: { key: KEY }, correlation: { api_key: KEY } };
    expect(safe(fields, 'message', 'payload', 'correlation')).toEqual({
      message: 'token=[Filtered]',
      payload: { key: '[Filtered]' },
      correlation: { api_key: '[Filtered]' },
    });
  });

  it('win over names in a text, and not over forms', () => {
    const text = `session_id=${SECRET}&token=${KEY} session_id=${KEY} ?sig=${SECRET}`;
    expect(safe({ text }, 'session id', 'sig')).toEqual({
      text: `session_id=${SECRET}&token=[Filtered] session_id=[Filtered] ?sig=${SECRET}`,
    });
  });
});

describe('personal data', () => {
  const MAIL = 'Anna.Muster+shop@mail.shop-24.example';
  const find = <Fields extends object>(fields: Fields, ...personal: PersonalRule[]) =>
    run(fields, { personal });

  it('stays by default', () => {
    const fields = {
      message: `Mail to ${MAIL} from 192.0.2.17 and 2001:db8::17`,
      payload: {
        email: MAIL,
        firstName: 'Anna',
        ip_address: '192.0.2.17',
        user: { phone: '+49 170 1234567' },
      },
    };
    expect(scrub(fields)).toEqual({ fields, counts: null });
  });

  it.each([
    [MAIL, '[Filtered]'],
    [`<${MAIL}>, "jörg@example.com".`, '<[Filtered]>, "[Filtered]".'],
    [`mailto:${MAIL}?subject=x`, 'mailto:[Filtered]?subject=x'],
    ['/login?email=anna%40shop.example&x=1', '/login?email=[Filtered]&x=1'],
    ['user%3Danna%40shop.example', 'user%3D[Filtered]'],
    ['anna@bücher.example', '[Filtered]'],
    ['?email=ann.smith%2Bshop%40example.com', '?email=[Filtered]'],
    ['?q=x%26j%c3%b6rg%2bshop%40example.com', '?q=x%26[Filtered]'],
    [`%3D${'%C3%A9'.repeat(32)}%40example.com`, '%3D[Filtered]'],
    ['maria@empresa.com.py', '[Filtered]'],
    ['a@b.de@c.de', '[Filtered]@c.de'],
  ])('includes the addresses of e-mail in %s', (message, found) => {
    expect(find({ message }, 'email').fields).toEqual({ message: found });
  });

  it.each([
    'logo@2x.png react@18.2.0 @scope/name @user a@b fn@app.js:10:5 fn@app.py:3',
    'https://app:[Filtered]@db.example/',
    '@'.repeat(50),
  ])('includes no address of e-mail in %s', (message) => {
    expect(find({ message }, 'email').counts).toBeNull();
  });

  it.each([
    ['from 192.0.2.17:8080, http://198.51.100.1/', 'from [Filtered]:8080, http://[Filtered]/'],
    ['[2001:db8::17]:443 2001:DB8:0:0:0:0:0:1: refused', '[[Filtered]]:443 [Filtered]: refused'],
    ['::ffff:192.0.2.17', '::ffff:[Filtered]'],
  ])('includes the addresses of computers in %s', (message, found) => {
    expect(find({ message }, 'ip').fields).toEqual({ message: found });
  });

  it.each([
    'Chrome/120.0.0.0 127.0.0.1 10.0.0.0 1.2.3 1.2.3.4.5 256.1.1.1 v1.2.3.4',
    '12:34:56 aa:bb:cc:dd:ee:ff ::1 fe80::1 std::vector Dead::Beef 2026-11-27T10:00:00',
  ])('includes no address of a computer in %s', (message) => {
    expect(find({ message }, 'ip').counts).toBeNull();
  });

  it.each([
    'firstName',
    'user_email',
    'phone',
    'phone_number',
    'Billing-Address',
    'date_of_birth',
    'client_ip',
  ])('includes the value of %s', (name) => {
    const { fields, counts } = find({ payload: { [name]: { part: ['Anna', 17] } } }, 'person');
    expect(fields).toEqual({ payload: { [name]: { part: ['[Filtered]', '[Filtered]'] } } });
    expect(counts).toEqual({ person: 2 });
  });

  it.each(['name', 'file_name', 'emails_sent', 'email_verified_at', 'address', 'phone_model', 'city_count'])(
    'does not include the value of %s',
    (name) => {
      expect(find({ payload: { [name]: 'Anna' } }, 'person').counts).toBeNull();
    },
  );

  it('finds personal data by name in a text', () => {
    const message = `?first_name=Anna&page=2 phone: +4917012345 user_email="${MAIL}"`;
    expect(find({ message }, 'person')).toEqual({
      fields: { message: '?first_name=[Filtered]&page=2 phone: [Filtered] user_email="[Filtered]"' },
      counts: { person: 3 },
    });
  });

  it('stays in the correlation, unless its name or another part of the event says what it is', () => {
    const correlation = { user_id: MAIL, order_id: '192.0.2.17', order_mail: 'other@shop.example' };
    const fields = { payload: { user: { email: MAIL, ip: '192.0.2.17' } }, correlation };
    expect(find(fields, 'email', 'ip').fields).toEqual({
      payload: { user: { email: '[Filtered]', ip: '[Filtered]' } },
      correlation: { ...correlation, user_id: '[Filtered]' },
    });
    const named = { correlation: { user_email: MAIL, user_id: 'usr_1' } };
    expect(find(named, 'person').fields).toEqual({
      correlation: { user_email: '[Filtered]', user_id: 'usr_1' },
    });
  });

  it('finds personal data in names of fields as well', () => {
    expect(find({ payload: { 'a@b.de': 1 } }, 'email').fields).toEqual({ payload: { '[Filtered] 1': 1 } });
  });

  it.each([
    ['4.18.2.7', 'ip'],
    ['app@1.0.0-rc.beta', 'email'],
    [`app@1.0.0-rc.beta ${'x'.repeat(300)}`, 'email'],
    ['?username=anna', 'person'],
  ] as const)('leaves the release and the environment %s as they are', (build, rule) => {
    const fields = { note: build, environment: build, release: build };
    const { note, ...found } = find(fields, rule).fields;
    expect(note).toContain('[Filtered]');
    expect(found).toEqual({ environment: build, release: build });
    // Whichever comes first: a long text is remembered.
    expect(find({ release: build, note: build }, rule).fields).toEqual({ release: build, note });
  });

  it('replaces secrets in a release, and personal data in fields of the payload with that name', () => {
    const fields = { release: `1.2.3.4 ${KEY}`, payload: { release: '1.2.3.4' } };
    expect(find(fields, 'ip').fields).toEqual({
      release: '1.2.3.4 [Filtered]',
      payload: { release: '[Filtered]' },
    });
  });

  it('takes no place of a secret that is looked for elsewhere', () => {
    const mails = Array.from({ length: 100 }, (_, index) => `user${index}@shop.example`);
    const fields = { payload: { mails, password: SECRET }, note: SECRET };
    expect(find(fields, 'email').fields).toMatchObject({ note: '[Filtered]' });
  });

  it('takes part in the counts beside secrets, which win', () => {
    const fields = { payload: { user: { email: MAIL, password: SECRET }, token: MAIL } };
    expect(find(fields, 'email', 'person').counts).toEqual({ person: 1, key: 2 });
  });

  it('searches texts of any form for personal data within the time of a test', () => {
    const parts = [
      '@',
      'a@',
      'a.',
      'a@a.',
      '%40',
      '1.',
      ':',
      '1:',
      'f:',
      'ff',
      '::',
      '1.1.1.1',
      '@a-',
      'é@é.',
      '%2B',
      '%C3%A9%40',
    ];
    for (const part of parts) {
      const message = part.repeat(1_000_000 / part.length);
      expect(find({ message }, 'email', 'ip', 'person').fields.message.length).toBeGreaterThan(0);
    }
  });
});

describe('rules that are switched off', () => {
  const off = SCRUB_RULES.filter((rule) => !PERSONAL_RULES.some((personal) => personal === rule));

  it('leave an event as it is once all of them are', () => {
    const fields = { message: `token=${SECRET}`, payload: { password: SECRET, taxId: KEY } };
    expect(run(fields, { names: ['tax id'], off })).toEqual({ fields, counts: null });
  });

  it('leave those for personal data on', () => {
    const fields = { payload: { password: SECRET, note: 'ada@shop.example' } };
    expect(run(fields, { off, personal: ['email'] }).fields).toEqual({
      payload: { password: SECRET, note: '[Filtered]' },
    });
  });
});
