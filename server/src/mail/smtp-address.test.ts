import { describe, expect, it } from 'vitest';
import { readSender, readSmtpAddress } from './smtp-address.ts';

describe('SMTP_URL', () => {
  it('reads server, port, way of TLS and login from SMTP_URL', () => {
    expect(readSmtpAddress('smtp://mail.example.com')).toEqual({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      requireTLS: false,
      ignoreTLS: false,
    });
    expect(readSmtpAddress('smtps://a%40b.c:p%2Fw@mail.example.com')).toMatchObject({
      port: 465,
      secure: true,
      auth: { user: 'a@b.c', pass: 'p/w' },
    });
    expect(readSmtpAddress('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525 });
  });

  it('sends a password to another machine over TLS only, unless told otherwise', () => {
    const isRequired = (address: string) => readSmtpAddress(address)?.requireTLS;
    expect(isRequired('smtp://u:p@mail.example.com')).toBe(true);
    expect(isRequired('smtp://u:p@localhost:25')).toBe(false);
    expect(isRequired('smtp://mail.example.com?tls=required')).toBe(true);
    expect(readSmtpAddress('smtp://u:p@mail.example.com?tls=never')).toMatchObject({
      requireTLS: false,
      ignoreTLS: true,
    });
  });

  it.each([
    '',
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://a?tls=maybe',
    'smtp://a?x=1',
    'smtp://a/b',
  ])('refuses the address %j of a mail server', (text) => {
    expect(readSmtpAddress(text)).toBeUndefined();
  });
});

describe('SMTP_FROM', () => {
  it.each(['tocsin@example.com', 'Tocsin <tocsin@example.com>', '<tocsin@example.com>'])(
    'accepts the sender %s',
    (text) => {
      expect(readSender(text)).toBe(text);
    },
  );

  it.each(['', 'tocsin', 'a@b.c, d@e.f', 'a@b.c\r\nBcc: x@y.z', 'A\n<a@b.c>', '<a@b.c> <d@e.f>'])(
    'refuses the sender %j',
    (text) => {
      expect(readSender(text)).toBeUndefined();
    },
  );
});
