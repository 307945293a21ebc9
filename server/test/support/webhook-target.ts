import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { atEnd } from './at-end.ts';

/** What a webhook received, as its body says. */
export interface Received {
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
  received: Received[];
  /** Answers from now on; by default 200. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  stop: () => void;
}

/** A webhook on a free port of 127.0.0.1, which OUTBOUND_ALLOW has to allow. */
export async function startWebhookTarget(): Promise<WebhookTarget> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const { type, timestamp, data } = JSON.parse(body);
      target.received.push({ type, timestamp, data, body, headers, id: headers['webhook-id'] ?? '' });
      target.answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target: WebhookTarget = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: (_, response) => response.end('ok'),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  atEnd(() => target.stop());
  return target;
}

/** @throws where the signature is not that of the secret */
export function verify({ body, headers }: Received, secret: string): void {
  new Webhook(secret).verify(body, headers);
}
