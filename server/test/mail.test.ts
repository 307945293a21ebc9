import { expect, it } from 'vitest';
import { createSendMail } from '../src/mail/send-mail.ts';
import { readSmtpAddress } from '../src/mail/smtp-address.ts';
import { startMailServer } from './support/mail-server.ts';

const server = await startMailServer();
const address = readSmtpAddress(server.url);
if (!address) throw new Error('The address of the mail server is not understood.');
const sendMail = createSendMail({ ...address, from: 'Tocsin <tocsin@example.com>' });

it('delivers a message, and resolves with the answer of the server', async () => {
  const answer = await sendMail({ to: 'ada@example.com', subject: 'Grüße', text: 'Hello Ada' });
  expect(answer).toMatch(/^250/);
  expect(server.received.at(-1)).toMatchObject({ from: 'tocsin@example.com', to: ['ada@example.com'] });
  expect(server.received.at(-1)?.source).toContain('Auto-Submitted: auto-generated');
  expect(server.received.at(-1)?.text).toContain('Hello Ada');
});

it('lets no text become a header field or a recipient', async () => {
  await sendMail({
    to: 'ada@example.com',
    subject: 'A\r\nBcc: eve@example.com\r\n\r\nForged',
    text: 'Hello',
    headers: { 'X-Test': 'a\r\nX-Forged: b' },
  });
  const mail = server.received.at(-1);
  expect(mail?.to).toEqual(['ada@example.com']);
  expect(mail?.source.slice(0, mail.source.indexOf('\r\n\r\n'))).not.toMatch(/^(?:Bcc|X-Forged):/im);
  const before = server.received.length;
  await sendMail({ to: 'ada@example.com, eve@example.com', subject: 'A', text: 'B' }).catch(() => {});
  for (const { to } of server.received.slice(before)) expect(to).not.toContain('eve@example.com');
});

it('rejects with the code of a server that refuses, and without a server', async () => {
  server.refuseWith(550);
  await expect(sendMail({ to: 'ada@example.com', subject: 'A', text: 'B' })).rejects.toMatchObject({
    responseCode: 550,
  });
  server.refuseWith(null);
  const nowhere = createSendMail({ ...address, port: 1, from: 'tocsin@example.com' });
  await expect(nowhere({ to: 'ada@example.com', subject: 'A', text: 'B' })).rejects.toThrow();
});
