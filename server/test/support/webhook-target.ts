import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { atEnd } from './at-end.ts';
import type { Answer } from './client.ts';
import type { TestService, TestUser } from './service.ts';
import { waitFor } from './wait.ts';

/** Message received by a webhook. */
export interface ReceivedMessage {
  type: string;
  timestamp: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape they are about to assert
  data: Record<string, any>;
  id: string;
  body: string;
  headers: Record<string, string>;
}

export interface WebhookTarget {
  url: string;
  received: ReceivedMessage[];
  /** Answer to the next requests; by default 200. */
  arrived: (count: number) => Promise<void>;
  /** Types of the messages. */
  types: () => string[];
  /** Ids of the incidents of the messages. */
  incidentIds: () => string[];
  /** Answers from now on; by default 200. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  stop: () => void;
}

/** Starts a webhook on a free port of 127.0.0.1, which OUTBOUND_ALLOW has to allow. */
export async function startWebhookTarget(): Promise<WebhookTarget> {
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const { type, timestamp, data } = JSON.parse(body);
      received.push({ type, timestamp, data, body, headers, id: headers['webhook-id'] ?? '' });
      target.answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target: WebhookTarget = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    arrived: async (count) => {
      await waitFor(`${count} messages`, () => received.length >= count, 30_000);
    },
    types: () => received.map(({ type }) => type),
    incidentIds: () => received.map(({ data }) => data['incident'].id),
    answer: (_, response) => response.end('ok'),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  atEnd(() => target.stop());
  return target;
}

/** @throws if the signature is not that of the secret */
export async function createWebhook(
  { api }: TestUser,
  { url }: { url: string },
  fields: object = {},
): Promise<{ id: string; secret: string }> {
  const values = { kind: 'webhook', name: 'Pager', config: { url }, ...fields };
  const { status, body } = await api.post('/notification-targets', values);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** Creates a route to a target. */
export async function createRoute(
  { api }: TestUser,
  targetId: string,
  fields: object = {},
): Promise<Answer['body']> {
  const { status, body } = await api.post('/notification-routes', { targetId, ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** A user with a project, a webhook, and a route to it. */
export async function signUpWithWebhook(
  service: TestService,
  fields: { target?: object; route?: object } = {},
) {
  const user = await service.signUp();
  const project = await user.createProject();
  const webhook = await startWebhookTarget();
  const { id: targetId, secret } = await createWebhook(user, webhook, fields.target);
  const route = await createRoute(user, targetId, fields.route);
  return { user, project, webhook, targetId, secret, route };
}

/** @throws where the signature is not that of the secret */
export function verify({ body, headers }: ReceivedMessage, secret: string): void {
  new Webhook(secret).verify(body, headers);
}
