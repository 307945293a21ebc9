import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { onTestFinished } from 'vitest';
import type { TestService } from '../support/service.ts';
import type { RecordedRequest } from './clients.ts';
import { type ClientProject, withoutProject } from './project.ts';

const RECORDED_HEADERS = new Set([
  'authorization',
  'content-encoding',
  'content-type',
  'origin',
  'stripe-signature',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-api-key',
  'x-github-delivery',
  'x-github-event',
  'x-hub-signature-256',
  'x-sentry-auth',
]);
/** Headers of one connection, or of a body as it was encoded. */
const HOP_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'te',
  'transfer-encoding',
]);

/**
 * Starts a proxy in front of a service that records requests; it ends with the test.
 * @param directory folder of the client’s packages, whose path is blanked
 */
export async function startRecorder(
  { ingestionUrl, managementUrl }: TestService,
  project: ClientProject,
  directory: string,
): Promise<{ url: string; requests: RecordedRequest[] }> {
  const requests: RecordedRequest[] = [];
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    const { method = '', url = '', headers } = request;
    const target = url.startsWith('/api/0/') ? managementUrl : ingestionUrl;
    const encoding = headers['content-encoding'];
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: {
        ...entriesOf(headers, (name) => !HOP_HEADERS.has(name)),
        ...(encoding && { 'content-encoding': encoding }),
      },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const recorded = entriesOf(headers, (name) => RECORDED_HEADERS.has(name) || name.startsWith('ce-'));
    requests.push({
      method,
      path: withoutProject(url, project),
      headers: Object.fromEntries(
        Object.entries(recorded).map(([name, value]) => [name, withoutProject(value, project)]),
      ),
      body: Buffer.from(
        withoutMachine(withoutProject(body.toString('latin1'), project), directory),
        'latin1',
      ).toString('base64'),
      status: answer.status,
    });
    for (const [name, value] of answer.headers) if (!HOP_HEADERS.has(name)) response.setHeader(name, value);
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => void forward(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function entriesOf(headers: IncomingHttpHeaders, isTaken: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (isTaken(name) ? [[name, String(value)]] : [])),
  );
}

/** Blanks what names this machine, by texts of the same length. */
function withoutMachine(text: string, directory: string): string {
  return text
    .replaceAll(directory, `/${'x'.repeat(directory.length - 1)}`)
    .replaceAll(`"server_name":"${hostname()}"`, `"server_name":"${'x'.repeat(hostname().length)}"`)
    .replace(/(?<=host\.id.{0,8}?)[0-9a-f]{32}/s, '0'.repeat(32));
}

/** Reads a whole body. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
