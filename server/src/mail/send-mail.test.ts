import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { startMailServer } from '../../test/support/mail-server.ts';
import { waitFor } from '../../test/support/wait.ts';
import { createSystemLookup } from '../platform/system-lookup.ts';
import { createSendMail } from './send-mail.ts';
import { readSmtpAddress } from './smtp-address.ts';

const MESSAGE = { to: 'ada@example.com', subject: 'Down', text: 'Down' };

/** The function for a server on a port of a name, which is looked up as `look` says. */
function sendMailTo(url: string, look: (host: string) => Promise<string[]>, totalTimeoutMs?: number) {
  const address = readSmtpAddress(url);
  if (!address) throw new Error(`${url} is no address of a mail server.`);
  const lookUp = createSystemLookup(async (host) =>
    (await look(host)).map((found) => ({ address: found, family: found.includes(':') ? 6 : 4 })),
  );
  return createSendMail(
    { ...address, from: 'tocsin@example.com' },
    { lookUp, ...(totalTimeoutMs === undefined ? {} : { totalTimeoutMs }) },
  );
}

it('gives up on a mail server that greets and then stays silent, and ends the connection', async () => {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined).resume();
    socket.write('220 slow.example ESMTP\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sendMail = sendMailTo(`smtp://127.0.0.1:${port}`, async () => [], 100);
  await expect(sendMail(MESSAGE)).rejects.toThrow('took too long');
  server.close();
  // It is closed only without a connection.
  await once(server, 'close');
});

it('looks up the name of the mail server in one look-up at a time, and tries all of its addresses', async () => {
  const server = await startMailServer();
  const looking: (() => void)[] = [];
  const sendMail = sendMailTo(server.url.replace('127.0.0.1', 'mail.example'), async (host) => {
    expect(host).toBe('mail.example');
    await new Promise<void>((resolve) => looking.push(resolve));
    // Nothing listens at the first address.
    return ['127.0.0.9', '127.0.0.1'];
  });
  const sent = Promise.all(Array.from({ length: 5 }, () => sendMail(MESSAGE)));
  for (let turn = 0; turn < 5; turn++) {
    await waitFor('the look-up', () => looking.length === 1);
    looking.shift()?.();
  }
  expect(await sent).toHaveLength(5);
  expect(server.received).toHaveLength(5);
});

it('names the mail server to TLS as SMTP_URL does, and trusts no other certificate', async () => {
  const names: string[] = [];
  const server = createTlsServer({
    SNICallback: (name, done) => {
      names.push(name);
      done(new Error('There is no certificate for it.'));
    },
  }).listen(0, '127.0.0.1');
  server.on('tlsClientError', (_, socket) => socket.destroy());
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const sendMail = sendMailTo(`smtps://mail.example:${port}`, async () => ['127.0.0.1']);
  await expect(sendMail(MESSAGE)).rejects.toThrow();
  expect(names).toEqual(['mail.example']);
});
