import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import type { Message } from '../messages/message.ts';
import { AddressRules } from '../outgoing/address-rules.ts';
import { createSendRequest } from '../outgoing/send-request.ts';
import { attempt } from './attempt.ts';
import { defineChannel } from './base/channel.ts';
import { CHANNELS } from './registry.ts';

const sendRequest = createSendRequest({
  rules: new AddressRules(['127.0.0.1']),
  resolve: () => Promise.reject(new Error('No name is looked up here.')),
});
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

const MESSAGE: Message = {
  type: 'test',
  deliveryId: 'dlv_01h455vb4pex5vsknk084sn02q',
  threadId: 'test',
  state: 'notice',
  severity: 'info',
  headline: 'Test',
  threadHeadline: 'Test',
  lines: [],
  facts: [],
  project: null,
  url: null,
  silenceUrl: null,
  why: 'A person pressed Test.',
  at: new Date('2026-11-22T12:00:00Z'),
  subject: { kind: 'test' },
};

async function startTarget(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const attemptWebhook = (url: string) => {
  const { config, shownOnce } = CHANNELS.webhook.complete?.({ url }) ?? { config: { url }, shownOnce: {} };
  const given = {
    config,
    message: MESSAGE,
    previous: null,
    organizationId: '',
    acceptedBy: [],
    nowMs: Date.now(),
    services: { version: '1', sendMail: null, pushToBrowsers: async () => [], mayMail: async () => true },
  };
  return { secret: shownOnce['secret'] ?? '', attempted: attempt(CHANNELS.webhook, given, sendRequest) };
};

it('sends a body that the package of Standard Webhooks verifies', async () => {
  const seen: { headers: IncomingHttpHeaders; body: string }[] = [];
  const url = await startTarget((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      seen.push({ headers: request.headers, body });
      response.end('thanks');
    });
  });
  const { secret, attempted } = attemptWebhook(url);
  expect(await attempted).toMatchObject({
    outcome: { kind: 'delivered', remote: null },
    status: 200,
    body: 'thanks',
  });
  const [request] = seen;
  expect(request?.headers['webhook-id']).toBe(MESSAGE.deliveryId);
  expect(new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>)).toEqual(
    {
      type: 'test',
      timestamp: '2026-11-22T12:00:00.000Z',
      data: { lines: [], facts: [], project: null, url: null, why: 'A person pressed Test.' },
    },
  );
});

it('keeps 2,000 characters of an answer, without what PostgreSQL refuses', async () => {
  const url = await startTarget((_, response) => {
    response.writeHead(500).end(`\u0000\u001b[31m\ud800${'x'.repeat(5_000)}`);
  });
  const { outcome, status, body } = await attemptWebhook(url).attempted;
  expect({ outcome: outcome.kind, status, length: body.length }).toEqual({
    outcome: 'retry',
    status: 500,
    length: 2_000,
  });
  expect(body.includes('\u0000') || body.includes('\u001b')).toBe(false);
});

it('stores the answer of a channel without HTTP, and its changed configuration', async () => {
  const given = {
    config: {},
    message: MESSAGE,
    previous: null,
    organizationId: '',
    acceptedBy: [],
    nowMs: 0,
    services: { version: '1', sendMail: null, pushToBrowsers: async () => [], mayMail: async () => true },
  };
  const base = {
    label: 'Example',
    schema: {},
    fields: {},
    check: () => [],
    describe: () => '',
    rate: { burst: 1, perSecond: 1 },
    canEdit: () => true,
  };
  const delivered = { kind: 'delivered', remote: { id: '7' } } as const;
  const direct = defineChannel<object>({
    ...base,
    transport: 'direct',
    deliver: async () => ({ outcome: delivered, status: 250, body: 'queued' }),
  });
  expect(await attempt(direct, given, sendRequest)).toMatchObject({
    outcome: delivered,
    status: 250,
    body: 'queued',
  });
  const moving = defineChannel<object>({
    ...base,
    transport: 'http',
    render: () => [],
    interpret: () => ({ kind: 'changed', outcome: delivered, config: { chatId: '-100' } }),
  });
  expect(await attempt(moving, given, sendRequest)).toMatchObject({
    outcome: delivered,
    config: { chatId: '-100' },
  });
});
