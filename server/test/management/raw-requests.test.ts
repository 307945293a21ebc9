import { describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw-http.ts';
import { startTestService } from '../support/service.ts';

describe('a request that no HTTP client would send', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  for (let index = 0; index < 2; index++) {
    const { id: projectId } = await user.createProject();
    await user.openIncident(projectId);
  }
  const { host } = new URL(service.managementUrl);
  const send = async (lines: string[], body?: string) => {
    const answer = await sendRaw(service.managementUrl, [...lines, 'Connection: close'], body);
    const isJson = /content-type: application\/(problem\+)?json/i.test(answer.head);
    return { ...answer, json: isJson ? JSON.parse(answer.body) : null };
  };
  const cookie = `Cookie: ${user.api.cookie}`;

  it('refuses a request with two Host headers', async () => {
    const answer = await send(['GET /livez HTTP/1.1', `Host: ${host}`, 'Host: evil.example.com']);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: 'bad_request', status: 400 });
  });

  it.each(['/projects/%zz', '/%', '/projects/%E0%A4%A', '/%ff/x'])(
    'refuses a request with the malformed address %s',
    async (path) => {
      const answer = await send([`GET ${path} HTTP/1.1`, `Host: ${host}`]);
      expect(answer.status).toBe(400);
      expect(answer.head).toMatch(/content-type: application\/problem\+json/i);
      expect(answer.json).toMatchObject({
        code: 'bad_request',
        type: 'urn:tocsin:error:bad_request',
        requestId: expect.any(String),
      });
    },
  );

  it.each([
    ['a Host that is no address', ['GET /incidents?limit=1 HTTP/1.1', 'Host: a b']],
    ['a Host with an impossible port', ['GET /incidents?limit=1 HTTP/1.1', 'Host: example.com:99999']],
    ['an open bracket as Host', ['GET /incidents?limit=1 HTTP/1.1', 'Host: [']],
    ['an empty Host', ['GET /incidents?limit=1 HTTP/1.1', 'Host:']],
    ['no Host, in HTTP/1.0', ['GET /incidents?limit=1 HTTP/1.0']],
    ['a whole address in its first line', [`GET http://${host}/incidents?limit=1 HTTP/1.1`, `Host: ${host}`]],
  ])('never fails internally on a request with %s', async (_what, lines) => {
    const answer = await send([...lines, cookie]);
    expect([200, 400, 404]).toContain(answer.status);
    if (answer.status !== 200) expect(answer.json).toMatchObject({ status: answer.status });
  });

  it.each([
    ['that is no HTTP', ['nonsense']],
    ['with a bad header name', ['GET /livez HTTP/1.1', `Host: ${host}`, 'Bad Header: x']],
    ['without a Host', ['GET /livez HTTP/1.1']],
    [
      'with two lengths',
      ['POST /auth/login HTTP/1.1', `Host: ${host}`, 'Content-Length: 1', 'Content-Length: 2'],
    ],
    [
      'with a length and chunks',
      ['POST /auth/login HTTP/1.1', `Host: ${host}`, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
    ],
  ])('answers a request %s with a problem, and closes the connection', async (_what, lines) => {
    const answer = await send(lines);
    expect(answer.status).toBe(400);
    expect(answer.head).toMatch(/content-type: application\/problem\+json/i);
    expect(answer.json).toMatchObject({ code: 'bad_request', status: 400, detail: expect.any(String) });
  });

  it.each<[string, string[], number, string]>([
    [
      'with headers of 100 kB',
      ['GET /livez HTTP/1.1', `Host: ${host}`, `X-Large: ${'x'.repeat(100_000)}`],
      431,
      'headers_too_large',
    ],
    ['without a version of HTTP', ['GET /livez', `Host: ${host}`], 400, 'bad_request'],
    ['without a version and without headers', ['GET /livez'], 400, 'bad_request'],
    ['in HTTP/2.0', ['GET /livez HTTP/2.0', `Host: ${host}`], 505, 'http_version_not_supported'],
    ['in HTTP/1.2', ['GET /livez HTTP/1.2', `Host: ${host}`], 505, 'http_version_not_supported'],
    [
      'in a transfer coding besides chunked',
      ['POST /auth/login HTTP/1.1', `Host: ${host}`, 'Transfer-Encoding: gzip, chunked'],
      501,
      'not_implemented',
    ],
    [
      'in a transfer coding that does not end',
      ['POST /auth/login HTTP/1.1', `Host: ${host}`, 'Transfer-Encoding: chunked, gzip'],
      400,
      'bad_request',
    ],
  ])(
    'answers a request %s with its status, and closes the connection',
    async (_what, lines, status, code) => {
      for (const url of [service.managementUrl, service.ingestionUrl]) {
        const isChunked = lines.some((line) => line.startsWith('Transfer-Encoding'));
        const answer = await sendRaw(url, lines, isChunked ? '0\r\n\r\n' : '');
        expect(answer.status).toBe(status);
        expect(answer.head).toMatch(/^connection: close$/im);
        expect(JSON.parse(answer.body)).toMatchObject({ code, status, type: `urn:tocsin:error:${code}` });
      }
    },
  );

  it('logs no error for a version of HTTP or a transfer coding that a client chose', async () => {
    const lines: string[] = [];
    const logged = await startTestService({
      roles: ['management', 'ingestion'],
      environment: { LOG_LEVEL: 'warn' },
      logDestination: { write: (line) => lines.push(line) },
    });
    const { apiKey } = await (await logged.signUp()).createProject();
    for (const [url, path] of [
      [logged.managementUrl, '/auth/login'],
      [logged.ingestionUrl, '/ingest/events'],
    ] as const) {
      const version = await sendRaw(url, ['GET /livez HTTP/2.0', `Host: ${host}`]);
      const coding = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `X-Api-Key: ${apiKey}`];
      coding.push('Transfer-Encoding: gzip, chunked');
      const transfer = await sendRaw(url, coding, '0\r\n\r\n');
      expect([version.status, transfer.status]).toEqual([505, 501]);
    }
    expect(lines).toEqual([]);
  });

  it('never answers a second request that is hidden in the body of the first', async () => {
    const hidden = `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const answer = await send(
      ['POST /auth/login HTTP/1.1', `Host: ${host}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${hidden}`,
    );
    expect(`${answer.head}${answer.body}`.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});
