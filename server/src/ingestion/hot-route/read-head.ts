import { MAX_EVENT_BYTES } from '../event/schema.ts';

export const ROUTE = '/ingest/events';
const REQUEST_LINE = `POST ${ROUTE} HTTP/1.1\r\n`;
const END = '\r\n\r\n';

/** Maximum bytes of a head, far below the 16 KiB and 2,000 headers that `node:http` accepts. */
const MAX_HEAD_BYTES = 4_096;

/** A name, a colon, at most one space, and a value of visible ASCII characters with spaces between them. */
const HEADER = /([\w-]+): ?([!-~](?:[ -~]*[!-~])?)\r\n/y;

const LENGTH = /^[1-9]\d{0,7}$/;

/** Offer of HTTP/2 by the client of Java, which servers without it leave unanswered. */
const H2C_OFFER = 'upgrade, http2-settings';

/**
 * Headers beside those below that change how `node:http` or the framework treats a request. All others are ignored,
 * as they ignore them.
 */
const MEANINGFUL = /^(?:transfer-encoding|expect|idempotency-key|proxy-connection|content-.*)$/;

/** Head of a plain event. */
export interface Head {
  text: string;
  key: string;
  bodyBytes: number;
  /** True if it offers to change to HTTP/2. */
  offersH2c: boolean;
}

/**
 * Reads the head of a request that needs nothing of `node:http`: every byte of it is checked. Null is no error:
 * `node:http` and the framework handle the request.
 */
export function readHead(bytes: Buffer): Head | null {
  const end = bytes.subarray(0, MAX_HEAD_BYTES).indexOf(END);
  if (end === -1) return null;
  const text = bytes.toString('latin1', 0, end + END.length);
  const headers = text.startsWith(REQUEST_LINE) ? readHeaders(text) : null;
  if (!headers || !isPlain(headers)) return null;
  const key = headers['x-api-key'];
  const bodyBytes = Number(headers['content-length']);
  if (key === undefined || bodyBytes > MAX_EVENT_BYTES) return null;
  return { text, key, bodyBytes, offersH2c: headers.upgrade !== undefined };
}

type ReadHeader = 'host' | 'x-api-key' | 'content-type' | 'content-length' | 'connection' | 'upgrade';
type Headers = Partial<Record<ReadHeader, string>>;

/** Returns null if a relevant header occurs twice or has a meaning of its own, or if a line is not a header. */
function readHeaders(text: string): Headers | null {
  const headers: Headers = {};
  let at = REQUEST_LINE.length;
  while (at < text.length - 2) {
    HEADER.lastIndex = at;
    const [line = '', written = '', value = ''] = HEADER.exec(text) ?? [];
    if (line === '') return null;
    at += line.length;
    const name = written.toLowerCase();
    switch (name) {
      case 'host':
      case 'x-api-key':
      case 'content-type':
      case 'content-length':
      case 'connection':
      case 'upgrade':
        if (headers[name] !== undefined) return null;
        headers[name] = value;
        break;
      default:
        if (MEANINGFUL.test(name)) return null;
    }
  }
  return headers;
}

function isPlain(headers: Headers): boolean {
  const { host, connection, upgrade } = headers;
  return (
    host !== undefined &&
    headers['content-type'] === 'application/json' &&
    LENGTH.test(headers['content-length'] ?? '') &&
    staysOpen(connection?.toLowerCase(), upgrade)
  );
}

function staysOpen(connection: string | undefined, upgrade: string | undefined): boolean {
  return upgrade === undefined
    ? connection === undefined || connection === 'keep-alive'
    : connection === H2C_OFFER && upgrade === 'h2c';
}
