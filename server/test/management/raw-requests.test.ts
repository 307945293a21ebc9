import { describe, expect, it } from 'vitest';
import { sendRaw } from '../support/raw-http.ts';
import { startTestService } from '../support/service.ts';

describe('a request that no HTTP client would send', async () => {
  const service = await startTestService({ roles: ['management'] });
  const user = await service.signUp();
  for (let index = 0; index < 2; index++) {
    const { id: projectId } = await user.createProject();
    await user.api.post('/incidents', { title: 'Down', severity: 'error', projectId });
  }
  const { host } = new URL(service.managementUrl);
  const send = async (lines: string[], body?: string) => {
    const answer = await sendRaw(service.managementUrl, [...lines, 'Connection: close'], body);
    const isJson = /content-type: application\/(problem\+)?json/i.test(answer.head);
    return { ...answer, json: isJson ? JSON.parse(answer.body) : null };
  };
  const cookie = `Cookie: ${user.api.cookie}`;

  it('with two Host headers is refused', async () => {
    const answer = await send(['GET /livez HTTP/1.1', `Host: ${host}`, 'Host: evil.example.com']);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: 'bad_request', status: 400 });
  });

  it.each(['/projects/%zz', '/%', '/projects/%E0%A4%A', '/%ff/x'])(
    'with the address %s is malformed',
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
  ])('with %s never makes the service fail', async (_what, lines) => {
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
    ['with headers of 100 kB', ['GET /livez HTTP/1.1', `Host: ${host}`, `X-Large: ${'x'.repeat(100_000)}`]],
  ])('%s is answered with a problem, and the connection closed', async (_what, lines) => {
    const answer = await send(lines);
    expect(answer.status).toBe(400);
    expect(answer.head).toMatch(/content-type: application\/problem\+json/i);
    expect(answer.json).toMatchObject({ code: 'bad_request', status: 400, detail: expect.any(String) });
  });

  it('cannot make the service answer a second request that hides in the body of the first', async () => {
    const hidden = `GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const answer = await send(
      ['POST /auth/login HTTP/1.1', `Host: ${host}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${hidden}`,
    );
    expect(`${answer.head}${answer.body}`.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});
