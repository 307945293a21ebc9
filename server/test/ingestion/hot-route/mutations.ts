import type { Random } from '@tocsin/simulation/random';

const LINE = 'POST /ingest/events HTTP/1.1';

/** Additional headers that clients, proxies and attackers send. */
const FURTHER = [
  'User-Agent: python-requests/2.32.3',
  'Accept: */*',
  'Accept-Encoding: gzip, deflate, br',
  'Accept-Language: *',
  'Sec-Fetch-Mode: cors',
  'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'sentry-trace: 0af7-b7ad-1',
  'X-Forwarded-For: 10.0.0.1, 10.0.0.2',
  'X-Request-Id: 7',
  'Cookie: a=b; c="d"',
  'Authorization: Bearer nothing',
  'Origin: https://elsewhere.example',
  'X-HTTP-Method-Override: GET',
  'Accept-Version: 2.0.0',
  'Connection: keep-alive',
  'connection: Keep-Alive',
  'Connection: close',
  'Connection: keep-alive, close',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Upgrade: h2c',
  'Proxy-Connection: close',
  'Keep-Alive: timeout=5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'TE: trailers',
  'Trailer: X-Later',
  'Expect: 100-continue',
  'Expect: nothing',
  'Content-Encoding: identity',
  'Content-Encoding: gzip',
  'Content-MD5: nothing',
  'Content-Length: 2',
  'Content-Type: text/plain',
  'Idempotency-Key: again',
  'Host: elsewhere',
  'X-Api-Key: nonsense',
  'X-Empty:',
  'X-Wide:    spaces   ',
  'X-Tab:\tvalue\twith\ttabs\t',
  'X-Folded: a\r\n b',
  'X-Folded: a\r\n\tb',
  'X Space: a',
  'X-Space : a',
  'X_Under.score!#$%&*+^`|~: a',
  ': no name',
  'no colon',
  'X-Latin: Gr\xf6\xdfe',
  'X-Delete: \x7f',
  'X-Nul: \0',
  'X-Return: a\rb',
  'X-Line: a\nX-Next: b',
];

const LINES = [
  'POST  /ingest/events HTTP/1.1',
  'POST /ingest/events HTTP/1.0',
  'POST /ingest/events HTTP/1.1 ',
  'POST /ingest/events?a=b HTTP/1.1',
  'POST /ingest/events/ HTTP/1.1',
  'POST /ingest/webhook HTTP/1.1',
  'POST http://a/ingest/events HTTP/1.1',
  'post /ingest/events HTTP/1.1',
  'GET /ingest/events HTTP/1.1',
  'POST /ingest/events',
  '\r\nPOST /ingest/events HTTP/1.1',
];

/** Most frequent replacements of bytes: those with a meaning in HTTP or JSON. */
const TELLING = '\r\n\t :,;{}"\\0123456789aAzZ-_/\0\x7f\x80\xff';

/** Bytes of one connection, in the pieces in which they are sent. */
interface Stream {
  pieces: Buffer[];
  /** Number of requests before the mutations. */
  requests: number;
}

/**
 * Draws one to three pipelined requests, most of them events as clients send them and some changed in one or a few places,
 * cut into pieces anywhere.
 * @param nextMessage returns a message that no other event has
 */
export function drawStream(random: Random, apiKey: string, nextMessage: () => string): Stream {
  const requests = 1 + Math.floor(random.uniform() ** 3 * 3);
  let text = '';
  for (let index = 0; index < requests; index++) {
    const request = drawRequest(random, apiKey, nextMessage());
    text += random.uniform() < 0.6 ? request : change(random, request);
  }
  return { pieces: cut(random, Buffer.from(text, 'latin1')), requests };
}

function drawRequest(random: Random, apiKey: string, message: string): string {
  const body = drawBody(random, message);
  const line = random.uniform() < 0.95 ? LINE : pick(random, LINES);
  const length = random.uniform() < 0.95 ? body.length : body.length + Math.floor(random.uniform() * 9) - 4;
  const headers = [
    'Host: localhost:4100',
    `X-Api-Key: ${random.uniform() < 0.97 ? apiKey : `${apiKey.slice(0, -4)}AAAA`}`,
    'Content-Type: application/json',
    `Content-Length: ${random.uniform() < 0.02 ? `0${length}` : length}`,
  ];
  while (random.uniform() < 0.45) headers.splice(Math.floor(random.uniform() * 5), 0, pick(random, FURTHER));
  if (random.uniform() < 0.04) headers.splice(Math.floor(random.uniform() * headers.length), 1);
  const cased = random.uniform() < 0.3 ? headers.map((header) => toLowerName(header)) : headers;
  return `${line}\r\n${cased.join('\r\n')}\r\n\r\n${body}`;
}

function drawBody(random: Random, message: string): string {
  const event = { type: 'checkout', severity: 'INFO', message, payload: { amount: random.uniform() } };
  const draw = random.uniform();
  if (draw < 0.8) return JSON.stringify(event);
  if (draw < 0.85)
    return JSON.stringify({ ...event, payload: { text: 'x'.repeat(random.uniform() * 3_000) } });
  if (draw < 0.9) return JSON.stringify({ ...event, severity: 'FATAL' });
  if (draw < 0.95) return JSON.stringify(event).slice(0, -1);
  return '';
}

function toLowerName(header: string): string {
  const colon = header.indexOf(':');
  return header.slice(0, colon).toLowerCase() + header.slice(colon);
}

/** Changes one to three bytes, mostly of the head. */
function change(random: Random, request: string): string {
  let changed = request;
  for (let left = 1 + Math.floor(random.uniform() * 3); left > 0; left--) {
    const at = Math.floor(random.uniform() ** 1.5 * changed.length);
    const byte =
      random.uniform() < 0.7
        ? TELLING.charAt(Math.floor(random.uniform() * TELLING.length))
        : String.fromCharCode(Math.floor(random.uniform() * 256));
    const draw = random.uniform();
    if (draw < 0.4) changed = changed.slice(0, at) + byte + changed.slice(at + 1);
    else if (draw < 0.7) changed = changed.slice(0, at) + byte + changed.slice(at);
    else if (draw < 0.9) changed = changed.slice(0, at) + changed.slice(at + 1);
    else changed = changed.slice(0, at) + changed.slice(at - 20, at) + changed.slice(at);
  }
  return changed;
}

function cut(random: Random, bytes: Buffer): Buffer[] {
  const cuts = random.uniform() < 0.4 ? 0 : 1 + Math.floor(random.uniform() ** 2 * 5);
  const places = Array.from({ length: cuts }, () => Math.floor(random.uniform() * bytes.length));
  const ends = [...places.toSorted((left, right) => left - right), bytes.length];
  let from = 0;
  return ends.flatMap((end) => {
    const piece = bytes.subarray(from, end);
    from = end;
    return piece.length > 0 ? [piece] : [];
  });
}

function pick<T>(random: Random, list: readonly T[]): T {
  // The index lies within the list.
  return list[Math.floor(random.uniform() * list.length)] as T;
}
