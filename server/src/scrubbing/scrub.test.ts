import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../test/support/test-length.ts';
import { DEFAULT_CHOICES } from './schema.ts';
import { scrub, toScrubSettings } from './scrub.ts';

const json = (value: unknown) => JSON.stringify(value);

describe('values without secrets', () => {
  /** Words, numbers and signs, of which some sequences are secrets and most are none. */
  const text = fc
    .array(
      fc.constantFrom(
        ...'order token --token cookie password bearer Basic eyJ 4242 42424242 AKIA key x7f3a9c1'.split(' '),
        ...Array.from(' :=@"-&?\n\\;<>é🔥'),
        ' ',
        '://',
        '--',
        '%3D',
        '%22',
        '[',
        'rawHeaders',
        'Digest a=',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(text, fc.constantFrom('password', 'id', 'note', 'value', 'name', '__proto__')),
        tie('any'),
        {
          maxKeys: 4,
        },
      ),
    ),
  })).any;

  it('returns the same object exactly where nothing is counted', () => {
    fc.assert(
      fc.property(fc.record({ message: text, payload: value, correlation: value }), (fields) => {
        const sent = json(fields);
        const { fields: found, counts } = scrub(fields);
        expect(found === fields).toBe(counts === null);
        // Never in place: the reader of the request holds the same parts.
        expect(json(fields)).toBe(sent);
      }),
      { numRuns: rounds(1_000, 20_000) },
    );
  });

  it('changes nothing more in what it has scrubbed', () => {
    fc.assert(
      fc.property(fc.record({ message: text, payload: value, correlation: value }), (fields) => {
        const { fields: found } = scrub(fields);
        expect(scrub(found)).toEqual({ fields: found, counts: null });
      }),
      { numRuns: rounds(1_000, 20_000) },
    );
  });

  it.each([
    'Invalid token: unexpected end of input',
    'Wrong password: must have at least 8 characters',
    'Bearer authentication is required',
    'Basic authentication is required',
    'SyntaxError: Unexpected token < in JSON at position 0',
    'at Token.next (/app/src/token.ts:10:5)',
    'src::auth::token: not found in crate',
    'http://auth:8080/health answered 503',
    'if (token == null || password === undefined)',
    'token=null&password=',
    'password=${DB_PASSWORD} token=%s',
    'GET /search?q=token%3Dnull%26order%3D4242424242424242%26path%3D%2F4242424242424242',
    'error: --password is required, as is --token (see --help)',
    'auth: Digest authentication is required',
    json('paid\norder 4242424242424242'),
    'at async /srv/bin/auth:1200:15',
    'token=[redacted] secret: [hidden] tokens=[]',
    'max_tokens=4096 token_type=bearer password_changed_at=2026-11-27',
    'Optional<Token>.get',
    'ssh://git@git.shop.example/shop.git',
    'Write to support@shop.example: tokens are refilled',
    '-----BEGIN CERTIFICATE-----\nMIIB0123456789\n-----END CERTIFICATE-----',
  ])('leaves a sentence as it is: %s', (message) => {
    expect(scrub({ message }).counts).toBeNull();
  });
});

describe('what is found', () => {
  it('counts by the rule, and keeps the rest of a text', () => {
    const { fields, counts } = scrub({
      message: 'POST https://shop.example/pay?token=a1b2c3d4&order=7 with 4242 4242 4242 4242',
      payload: { password: 'hunter2x', attempts: 2, isAdmin: true, user: null },
    });
    expect(counts).toEqual({ key: 2, card: 1 });
    expect(fields).toEqual({
      message: 'POST https://shop.example/pay?token=[Filtered]&order=7 with [Filtered]',
      payload: { password: '[Filtered]', attempts: 2, isAdmin: true, user: null },
    });
  });

  it('keeps the names of headers, and the arguments behind options that have no value', () => {
    const payload = {
      rawHeaders: ['Host', 'token', 'Accept', 'text/html'],
      argv: ['--password', '--verbose', '--user', 'app'],
      allowedHeaders: ['Authorization', 'Content-Type'],
    };
    expect(scrub({ payload }).counts).toBeNull();
  });

  it('keeps the line and the column behind the address of a script', () => {
    const stack = 'at pay (https://shop.example/app.js?token=a1b2c3d4:10:5)';
    expect(scrub({ stack }).fields.stack).toBe('at pay (https://shop.example/app.js?token=[Filtered]:10:5)');
  });

  it('replaces what was found once wherever else it stands, encoded as well', () => {
    const password = 'p@ss "word" 7';
    const { fields, counts } = scrub({
      message: `login with ${password}`,
      payload: { password, url: `/?x=${encodeURIComponent(password)}`, body: json({ x: password }) },
      correlation: { login: password },
    });
    expect(fields).toEqual({
      message: 'login with [Filtered]',
      payload: { password: '[Filtered]', url: '/?x=[Filtered]', body: '{"x":"[Filtered]"}' },
      correlation: { login: '[Filtered]' },
    });
    expect(counts).toEqual({ key: 1, repeat: 4 });
  });

  it('looks for the values of a header, without its scheme and names', () => {
    const token = 'a1b2c3d4e5f6a1b2c3d4';
    const { fields } = scrub({
      message: `refused ${token}`,
      payload: { headers: { authorization: `Bearer ${token}`, cookie: `theme=dark; sid=${token}9` } },
      extra: `session ${token}9 in dark`,
    });
    expect(fields).toMatchObject({ message: 'refused [Filtered]', extra: 'session [Filtered] in dark' });
  });

  it('looks for no ordinary word or number, nor for an id beside a secret', () => {
    const fields = {
      message: 'wrong password for production, order 1042',
      correlation: { cart_id: 'cart_881234' },
    };
    const found = scrub({
      ...fields,
      payload: { password: 'password', secret: 'production', otp: 1042, cookies: { cart_id: 'cart_881234' } },
    });
    expect(found.fields).toMatchObject(fields);
    expect(found.counts).toEqual({ key: 4 });
  });

  it('looks for a part of a secret from the length of a session on', () => {
    const session = 'a1b2c3d4e5f6a1b2';
    const { fields, counts } = scrub({
      source: 'shop.eu-west-1',
      message: `session ${session} in eu-west-1`,
      payload: { cookies: { region: 'eu-west-1', sid: session } },
    });
    expect(fields).toEqual({
      source: 'shop.eu-west-1',
      message: 'session [Filtered] in eu-west-1',
      payload: { cookies: { region: '[Filtered]', sid: '[Filtered]' } },
    });
    expect(counts).toEqual({ key: 2, repeat: 1 });
  });

  it('replaces in a correlation by name alone', () => {
    const correlation = {
      order_id: '4242424242424242',
      trace: 'ghp_'.padEnd(40, 'a1'),
      note: 'token=a1b2c3',
    };
    expect(scrub({ correlation }).counts).toBeNull();
    const { fields } = scrub({ correlation: { ...correlation, api_key: 'x' } });
    expect(fields).toEqual({ correlation: { ...correlation, api_key: '[Filtered]' } });
  });

  it('spares numbers whose name says that they are no card, and takes cards of any length where it says so', () => {
    const ids = {
      order_id: '4242424242424242',
      trackingNumber: 4242424242424242,
      ref: '6205000000000000009',
    };
    expect(scrub({ payload: ids, message: 'order 4242424242424242' }).counts).toBeNull();
    const cards = {
      card: '6205000000000000009',
      pan: 4242424242424242,
      note: 4242424242424242,
      plain: '6205000000000000009',
    };
    const { fields } = scrub({ payload: cards });
    expect(fields.payload).toMatchObject({ card: '[Filtered]', pan: '[Filtered]', note: '[Filtered]' });
    expect(scrub({ payload: { card: { number: '4242424242424242' } } }).counts).toEqual({ card: 1 });
    expect(scrub({ payload: { plain: cards.plain } }).counts).toBeNull();
  });

  it('keeps the fields of two names that hold secrets apart', () => {
    const names = ['4242424242424242', '5555555555554444'];
    const { fields } = scrub({ payload: Object.fromEntries(names.map((name) => [name, 1])) });
    expect(fields.payload).toEqual({ '[Filtered] 1': 1, '[Filtered] 2': 1 });
  });

  it('takes further names, and leaves out rules that are switched off', () => {
    const settings = toScrubSettings({
      ...DEFAULT_CHOICES,
      names: ['PESEL', 'tax id'],
      off: ['card', 'repeat'],
    });
    const kept = { note: '4242 4242 4242 4242', message: 'hunter2x', taxonomyId: 'a', peselist: 'b' };
    const payload = { ...kept, userPesel: '44051401458', customer_tax_id: 'x', password: 'hunter2x' };
    expect(scrub({ payload }, settings)).toEqual({
      fields: {
        payload: { ...kept, userPesel: '[Filtered]', customer_tax_id: '[Filtered]', password: '[Filtered]' },
      },
      counts: { key: 3 },
    });
  });
});
