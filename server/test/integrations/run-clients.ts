import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isoTime } from '../../src/platform/time.ts';
import { toDsn } from '../../src/tenancy/dsn.ts';
import { startTestService } from '../support/service.ts';
import { CLIENTS, type RecordedRequest, type Recording, recordingFile } from './clients.ts';
import { byMessage, storedEvents } from './stored.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MATRIX = path.join(ROOT, 'server/lists/clients.json');
const RECORDED_HEADERS = ['content-type', 'content-encoding', 'user-agent'];

/* `npm run test:clients`: fetches the clients from the registry, so it is no part of `npm test`. */
describe('clients of other systems', async () => {
  const directory = await makeScratchDirectory();
  const service = await startTestService({ own: true });
  const user = await service.signUp();
  const passed: { client: string; version: string; protocol: string }[] = [];
  const snippet = await readSnippet();

  beforeAll(async () => {
    await cp(path.join(ROOT, 'clients'), directory, { recursive: true });
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory });
  });
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
    if (passed.length < CLIENTS.length) return;
    const matrix = {
      date: isoTime(service.context.clock.now()).slice(0, 10),
      node: process.version,
      clients: passed,
    };
    await writeFile(MATRIX, `${JSON.stringify(matrix, null, 2)}\n`);
  });

  it.each(CLIENTS)('stores what $name sends', async ({ name, package: module, protocol, ...client }) => {
    const { id, apiKey } = await user.createProject();
    const { number } = (await user.api.get(`/projects/${id}`)).body;
    const { url, requests } = await startRecorder(service.ingestionUrl, { apiKey, number });
    const environment = Object.fromEntries(
      snippet.map(([variable, value]) => [
        variable,
        value
          .replace('http://localhost:4100', url)
          .replace('https://tsn_live_…@events.shop.example/7', toDsn(url, apiKey, number))
          .replace('tsn_live_…', apiKey),
      ]),
    );
    const recordedAt = isoTime(service.context.clock.now());
    await run('node', client.program, {
      cwd: directory,
      env: { PATH: process.env['PATH'], ...environment, ...client.environment },
    });
    const stored = await storedEvents(user, id, client.events.length);
    expect(stored).toMatchObject(client.events.toSorted(byMessage));
    const file = path.join(directory, 'node_modules', module, 'package.json');
    const published = JSON.parse(await readFile(file, 'utf8')) as { name: string; version: string };
    const { version } = published;
    const recording: Recording = { client: name, version, recordedAt, requests };
    await writeFile(recordingFile(name), `${JSON.stringify(recording, null, 2)}\n`);
    passed.push({ client: published.name, version, protocol });
  });
});

/** Reads the variables that docs/integrations.md tells to set. */
async function readSnippet(): Promise<[variable: string, value: string][]> {
  const text = await readFile(path.join(ROOT, 'docs/integrations.md'), 'utf8');
  return [...text.matchAll(/^((?:OTEL|SENTRY)_\w+)=(\S+)$/gm)].map(([, variable = '', value = '']) => [
    variable,
    value,
  ]);
}

/** Starts a proxy in front of the service that records requests; it ends with the test. */
async function startRecorder(
  target: string,
  { apiKey, number }: { apiKey: string; number: number },
): Promise<{ url: string; requests: RecordedRequest[] }> {
  const requests: RecordedRequest[] = [];
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    const { method = '', url = '', headers } = request;
    const kept = RECORDED_HEADERS.flatMap((header) => {
      const value = headers[header];
      return typeof value === 'string' ? [[header, value] as const] : [];
    });
    requests.push({
      method,
      path: url.replace(apiKey, '{key}').replace(`/api/${number}/`, '/api/{number}/'),
      headers: Object.fromEntries(kept),
      body: withoutMachine(withoutKey(body, apiKey)).toString('base64'),
    });
    const sent = Object.entries(headers).filter(
      ([header]) => !/^(host|connection|transfer-encoding)$/.test(header),
    );
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: Object.fromEntries(sent.map(([header, value]) => [header, String(value)])),
      body: new Uint8Array(body),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => void forward(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Blanks the key, which the headers of an envelope name, in a copy of the same length. */
function withoutKey(body: Buffer, apiKey: string): Buffer {
  return Buffer.from(body.toString('latin1').replaceAll(apiKey, 'x'.repeat(apiKey.length)), 'latin1');
}

/** Blanks the id of this machine, which pino sends, in a copy of the same length. */
function withoutMachine(body: Buffer): Buffer {
  const text = body.toString('latin1').replace(/(?<=host\.id.{0,8}?)[0-9a-f]{32}/s, '0'.repeat(32));
  return Buffer.from(text, 'latin1');
}

/** Reads a whole body. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
