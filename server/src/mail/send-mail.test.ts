import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createSendMail } from './send-mail.ts';

it('gives up on a mail server that greets and then stays silent', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.write('220 slow.example ESMTP\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sendMail = createSendMail(
    {
      host: '127.0.0.1',
      port,
      secure: false,
      requireTLS: false,
      ignoreTLS: true,
      from: 'tocsin@example.com',
    },
    100,
  );
  await expect(sendMail({ to: 'ada@example.com', subject: 'Down', text: 'Down' })).rejects.toThrow(
    'took too long',
  );
  for (const socket of sockets) socket.destroy();
  server.close();
});
