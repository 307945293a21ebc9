import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, expect, it } from 'vitest';
import { createSendMail } from '../../../mail/send-mail.ts';
import { answer, exchange, HOSTILE, messageOf } from '../testing.ts';
import { email } from './email.ts';

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** A mail server on a free port, and the mails that it accepted. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let mail = '';
      stream.on('data', (piece: Buffer) => (mail += piece.toString('utf8')));
      stream.on('end', () => {
        mails.push(mail);
        done();
      });
    },
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  closing.push(() => server.close());
  const address = addressOf(server.server);
  return { mails, address, sendMail: createSendMail(address) };
}

function addressOf(server: Server) {
  const { port } = server.address() as AddressInfo;
  const from = 'Tocsin <tocsin@example.com>';
  return { host: '127.0.0.1', port, secure: false, requireTLS: false, ignoreTLS: true, from };
}

const CONFIG = { to: 'on-call@example.com' };
const send = (sendMail: ReturnType<typeof createSendMail> | null, message = messageOf()) =>
  exchange(email, CONFIG, () => answer(500), { message, services: { sendMail } });

it('sends one mail a message, all of an incident in one thread', async () => {
  const { mails, sendMail } = await startMailServer();
  const { attempted } = await send(sendMail);
  expect(attempted).toMatchObject({ outcome: { kind: 'delivered', remote: null }, status: 250 });
  // Lines that are too long are folded.
  const mail = mails[0]?.replaceAll('=\r\n', '');
  for (const line of [
    'From: Tocsin <tocsin@example.com>',
    'To: on-call@example.com',
    'Subject: [error] Checkout errors up in shop',
    'Auto-Submitted: auto-generated',
    'References: <inc_01h455vb4pex5vsknk084sn02q@tocsin.invalid>',
    'In-Reply-To: <inc_01h455vb4pex5vsknk084sn02q@tocsin.invalid>',
    'https://tocsin.example.com/app/incidents/inc_01h455vb4pex5vsknk084sn02q',
  ]) {
    expect(mail).toContain(line);
  }
});

it('lets hostile text neither into the header nor become another recipient', async () => {
  const { mails, sendMail } = await startMailServer();
  const headline = `${HOSTILE.join(' ')}\r\nBcc: victim@example.com`;
  await send(sendMail, messageOf({ headline, lines: ['.', `x\r\n.\r\nMAIL FROM:<a@b.c>`] }));
  expect(mails).toHaveLength(1);
  const [header = ''] = mails[0]?.split('\r\n\r\n') ?? [];
  expect(header).not.toMatch(/^Bcc:/im);
  expect(header).toMatch(/^To: on-call@example\.com$/m);
});

it('retries after a transient code, and not after a permanent one', async () => {
  const refuse = (responseCode: number) =>
    startMailServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('refused'), { responseCode })),
    });
  const later = await send((await refuse(451)).sendMail);
  expect(later.attempted).toMatchObject({ outcome: { kind: 'retry' }, status: 451 });
  const never = await send((await refuse(550)).sendMail);
  expect(never.attempted).toMatchObject({ outcome: { kind: 'permanent' }, status: 550 });
});

it('retries after a connection that a busy mail server closes during the TLS handshake', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const { attempted } = await send(createSendMail({ ...addressOf(server), secure: true }));
  expect(attempted).toMatchObject({ outcome: { kind: 'retry' }, status: null });
});

it('sends nothing to a server without the TLS that is required, and does not retry', async () => {
  const { mails, address } = await startMailServer();
  const sendMail = createSendMail({ ...address, requireTLS: true, ignoreTLS: false });
  expect((await send(sendMail)).attempted).toMatchObject({ outcome: { kind: 'permanent' }, status: 500 });
  expect(mails).toEqual([]);
});

it('reports a missing mail server, and one that cannot be reached', async () => {
  expect((await send(null)).attempted.outcome).toMatchObject({
    kind: 'permanent',
    reason: 'The service can’t send email. Set SMTP_URL and SMTP_FROM.',
  });
  const { attempted } = await send(async () => Promise.reject(new Error('ECONNREFUSED')));
  expect(attempted.outcome).toMatchObject({ kind: 'retry' });
});
