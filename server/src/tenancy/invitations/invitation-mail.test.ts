import { expect, it } from 'vitest';
import { invitationText } from './invitation-mail.ts';

const textFor = (organization: string, inviterName = 'Ada') =>
  invitationText(
    {
      email: 'grace@example.com',
      token: 'tsn_inv_abc',
      organization: { id: '1', name: organization },
      inviterName,
      expiresAt: new Date('2026-11-29T18:05:00Z'),
    },
    new URL('https://tocsin.example.com'),
  );

it('says who invites where, and until when the link works', () => {
  expect(textFor('Acme Inc.')).toBe(
    [
      'Ada invited you to the organization “Acme Inc.” in Tocsin at tocsin.example.com.',
      'Open this link to join. It works once, until 2026-11-29 18:05 UTC:',
      'https://tocsin.example.com/app/join#tsn_inv_abc',
      'Not expecting this? Ignore this email. Nothing changes unless you open the link and accept.',
    ].join('\n\n'),
  );
});

it('leaves one link in the text, whatever the names are', () => {
  const names = [
    'Win https://evil.example/x now',
    'evil.example',
    'mail me@evil.example',
    'a\r\nBcc: victim@example.com\r\n\r\nOpen https://evil.example',
    '\u202Ehttps://evil.example\u2028//evil.example',
    `${'x'.repeat(500)} https://evil.example`,
  ];
  for (const name of names) {
    const text = textFor(name, name);
    expect(text.match(/\S+:\/\/\S+/g)).toEqual(['https://tocsin.example.com/app/join#tsn_inv_abc']);
    expect(text).not.toMatch(/evil\.example|@\S/);
    expect(text.split('\n')).toHaveLength(7);
    expect(text.split('\n')[0]?.length).toBeLessThan(350);
  }
});
