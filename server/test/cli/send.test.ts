import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { send } from '../../src/cli/send.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';

const KEY = 'tsn_live_test';
const FLAGS = { type: 'manual', severity: 'info', message: 'Hello', timeout: scaled(5_000) / 1_000 };
const NOTHING = Readable.from([]);

interface FakeServer {
  url: URL;
  requests: IncomingNote[];
  close: () => Promise<void>;
}

/** Starts a server that answers each request with the next of these. */
async function serve(answers: RequestListener[]): Promise<FakeServer> {
  const requests: IncomingNote[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url, idempotencyKey: request.headers['idempotency-key'] });
    request.resume();
    request.on('end', () => answers[Math.min(requests.length, answers.length) - 1]?.(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { url, requests, close };
}

interface IncomingNote {
  url: string | undefined;
  idempotencyKey: string | string[] | undefined;
}

const accept: RequestListener = (_request, response) => {
  response.writeHead(202, { 'content-type': 'application/json' }).end('{"jobId":"job_1","status":"queued"}');
};
const refuse =
  (status: number, detail: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(JSON.stringify({ title: 'Title', detail }));
  };
const cut: RequestListener = (request) => request.socket.destroy();

describe('tocsin send', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { apiKey } = await user.createProject();
  const environment = { TOCSIN_URL: service.ingestionUrl, TOCSIN_API_KEY: apiKey };
  const listed = async (jobId: string) => {
    await service.settled();
    return (await user.api.get(`/events/${jobId.replace('job_', 'evt_')}`)).body;
  };

  it('sends an event with everything that was given, and returns its job', async () => {
    const flags = {
      type: 'nightly',
      severity: 'critical',
      message: 'Failed',
      source: 'cron',
      correlation: { host: 'web-1', run: 'a=b' },
      payload: '{"exit": 3, "exact": 12345678901234567890}',
      timeout: 5,
    };
    const jobId = await send(flags, environment, NOTHING);
    expect(await listed(jobId)).toMatchObject({
      type: 'nightly',
      severity: 'critical',
      message: 'Failed',
      source: 'cron',
      correlation: { host: 'web-1', run: 'a=b' },
      payload: { exit: 3 },
    });
  });

  it('reads the message from standard input, without the line breaks at its end', async () => {
    const input = () => Readable.from([Buffer.from('two\nli'), Buffer.from('nes ✓\r\n\n')]);
    const { message: _, ...withoutMessage } = FLAGS;
    for (const flags of [withoutMessage, { ...FLAGS, message: '-' }]) {
      expect(await listed(await send(flags, environment, input()))).toMatchObject({
        message: 'two\nlines ✓',
      });
    }
  });

  it('prints the answer of the server', async () => {
    const wrong = { ...environment, TOCSIN_API_KEY: `${apiKey.slice(0, -1)}_` };
    await expect(send(FLAGS, wrong, NOTHING)).rejects.toThrow(/^The server at http:.+ answered 401: .*key/i);
    await expect(send({ ...FLAGS, type: 'x'.repeat(200) }, environment, NOTHING)).rejects.toThrow(
      /answered 400: .*type/,
    );
  });

  it('requires a key and a message, and prints neither a key nor a stack', async () => {
    await expect(send(FLAGS, {}, NOTHING)).rejects.toThrow('There is no API key: set TOCSIN_API_KEY.');
    const broken = send(FLAGS, { TOCSIN_API_KEY: 'secret\nkey' }, NOTHING);
    await expect(broken).rejects.toThrow('The API key contains characters that no key has.');
    await expect(send({ ...FLAGS, message: '-' }, environment, NOTHING)).rejects.toThrow(
      /standard input is empty/,
    );
  });

  it('repeats the same event after network errors, 429 and 5xx', async () => {
    const { url, requests } = await serve([cut, refuse(503, 'Later'), refuse(429, 'Busy'), accept]);
    expect(await send({ ...FLAGS, url: new URL('/base/', url), key: KEY }, {}, NOTHING)).toBe('job_1');
    expect(requests.map((request) => request.url)).toEqual(Array(4).fill('/base/ingest/events'));
    expect(new Set(requests.map((request) => request.idempotencyKey)).size).toBe(1);
    expect(requests[0]?.idempotencyKey).toBeTruthy();
  });

  it('repeats no request that would fail again', async () => {
    const { url, requests } = await serve([refuse(413, 'Too large'), accept]);
    await expect(send({ ...FLAGS, url, key: KEY }, {}, NOTHING)).rejects.toThrow(/answered 413: Too large$/);
    expect(requests).toHaveLength(1);
  });

  it('gives up when its time is over, or will be over before Retry-After', async () => {
    const silent = await serve([() => {}]);
    await expect(send({ ...FLAGS, key: KEY, timeout: 0.5, url: silent.url }, {}, NOTHING)).rejects.toThrow(
      'there was no answer in time',
    );
    // Either wait would be longer than this test may take.
    const late = await serve([refuse(503, 'Later', { 'retry-after': '7200' })]);
    await expect(send({ ...FLAGS, key: KEY, timeout: 3_600, url: late.url }, {}, NOTHING)).rejects.toThrow(
      /answered 503: Later$/,
    );
    expect(late.requests).toHaveLength(1);
  });

  it('reports a server that cannot be reached', async () => {
    const { url, close } = await serve([accept]);
    await close();
    const flags = { ...FLAGS, key: KEY, timeout: scaled(300) / 1_000, url };
    await expect(send(flags, {}, NOTHING)).rejects.toThrow(
      /ingest\/events cannot be reached: .*ECONNREFUSED/,
    );
  });

  it.each([
    ['--severity', 'loud', 'info, warn, error or critical'],
    ['--payload', '[1]', 'not a JSON object'],
    ['--payload', '{"a"', 'not a JSON object'],
    ['--correlation', 'order', 'key=value'],
    ['--url', 'ftp://host', 'http:// or https://'],
    ['--timeout', '0', 'number of seconds'],
  ])('refuses %s %s in one line', async (option, value, reason) => {
    const program = (await createProgram({}, 'send')).exitOverride();
    let said = '';
    const command = program.commands.find((each) => each.name() === 'send');
    command?.exitOverride().configureOutput({ writeErr: (text) => (said += text) });
    await expect(program.parseAsync(['send', option, value], { from: 'user' })).rejects.toThrow(reason);
    expect(said.trimEnd().split('\n')).toHaveLength(1);
  });
});
