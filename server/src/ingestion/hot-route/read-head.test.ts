import { describe, expect, it } from 'vitest';
import { readHead } from './read-head.ts';

const LINE = 'POST /ingest/events HTTP/1.1';
const USUAL = ['Host: a', 'X-Api-Key: K', 'Content-Type: application/json', 'Content-Length: 7'];
const read = (lines: string[]) => readHead(Buffer.from(`${lines.join('\r\n')}\r\n\r\n{"a":1}`, 'latin1'));

describe('the head of a request to the hot route', () => {
  it('reads the key, the length of the body, and where it begins', () => {
    const text = `${[LINE, ...USUAL].join('\r\n')}\r\n\r\n`;
    expect(read([LINE, ...USUAL])).toEqual({ text, key: 'K', bodyBytes: 7, offersH2c: false });
  });

  // As captured from the clients, or as their sources write them.
  it.each<[string, string[]]>([
    ['curl', ['User-Agent: curl/7.88.1', 'Accept: */*']],
    [
      'fetch of Node',
      ['connection: keep-alive', 'accept: */*', 'accept-language: *', 'sec-fetch-mode: cors'],
    ],
    [
      'axios',
      ['Accept: application/json, text/plain, */*', 'User-Agent: axios/1.7.9', 'Connection: keep-alive'],
    ],
    ['Go', ['User-Agent: Go-http-client/1.1', 'Accept-Encoding: gzip']],
    ['requests of Python', ['User-Agent: python-requests/2.34.2', 'Accept: */*', 'Connection: keep-alive']],
    ['Java', ['Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAEAAEAA', 'Upgrade: h2c']],
    ['.NET', ['traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']],
    ['Ruby', ['Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3', 'Accept: */*', 'User-Agent: Ruby']],
  ])('reads what %s sends', (_client, headers) => {
    expect(read([LINE, ...headers, ...USUAL])).toMatchObject({ key: 'K', bodyBytes: 7 });
  });

  it('reads header names in any case and lines in any order', () => {
    const lines = USUAL.map((line) => line.replace(/^[^:]+/, (name) => name.toUpperCase())).toReversed();
    expect(read([LINE, ...lines])).toMatchObject({ key: 'K', bodyBytes: 7 });
  });

  it.each([
    'Connection: close',
    'Connection: keep-alive, close',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'Proxy-Connection: close',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
    'Idempotency-Key: a',
    'Content-Encoding: identity',
    'Content-Encoding: gzip',
    'Content-Range: bytes 0-1/2',
    'Host: b',
    'X-Api-Key: L',
    'Content-Type: application/json',
    'Content-Length: 7',
    'X-Empty:',
    'X-Wide:  a',
    'X-Behind: a ',
    'X-Tab: a\tb',
    'X-Folded: a\r\n b',
    'X-Return: a\rb',
    'X-Line: a\nX-Next: b',
    'X-Nul: \0',
    'X-Latin: \xe4',
    'X-Delete: \x7f',
    'X-Spaced : a',
    ' X-Before: a',
    'X.Dot: a',
    ': a',
    'nothing',
  ])('leaves a head with a line %j to node:http', (line) => {
    expect(read([LINE, line, ...USUAL])).toBeNull();
    expect(read([LINE, ...USUAL, line])).toBeNull();
  });

  it.each([0, 1, 2, 3])('leaves a head without its header %i to node:http', (index) => {
    expect(read([LINE, ...USUAL.toSpliced(index, 1)])).toBeNull();
  });

  it.each([
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Type', 'APPLICATION/JSON'],
    ['Content-Length', '0'],
    ['Content-Length', '07'],
    ['Content-Length', '+7'],
    ['Content-Length', '7 7'],
    ['Content-Length', '0x7'],
    ['Content-Length', String(1024 * 1024 + 1)],
    ['Content-Length', '99999999999999999999'],
  ])('leaves a head with %s: %s to node:http', (name, value) => {
    const others = USUAL.filter((line) => !line.startsWith(name));
    expect(read([LINE, ...others, `${name}: ${value}`])).toBeNull();
  });

  it.each([
    'POST /ingest/events HTTP/1.0',
    'POST /ingest/events  HTTP/1.1',
    'POST /ingest/events HTTP/1.1 ',
    'POST /ingest/events? HTTP/1.1',
    'POST /ingest/events/ HTTP/1.1',
    'post /ingest/events HTTP/1.1',
    '\r\nPOST /ingest/events HTTP/1.1',
  ])('leaves a head with the first line %j to node:http', (line) => {
    expect(read([line, ...USUAL])).toBeNull();
  });

  it('leaves a head that is not complete to node:http, whatever its length', () => {
    const whole = Buffer.from(`${[LINE, ...USUAL].join('\r\n')}\r\n\r\n`);
    for (let length = 0; length < whole.length; length++)
      expect(readHead(whole.subarray(0, length))).toBeNull();
    expect(readHead(whole)).not.toBeNull();
  });

  it('leaves a long head to node:http', () => {
    expect(read([LINE, `Cookie: ${'a'.repeat(3_000)}`, ...USUAL])).not.toBeNull();
    expect(read([LINE, `Cookie: ${'a'.repeat(4_000)}`, ...USUAL])).toBeNull();
  });
});
