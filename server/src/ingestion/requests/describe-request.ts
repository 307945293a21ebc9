import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { constants, gunzipSync } from 'node:zlib';
import type { ApiError } from '../../platform/errors.ts';
import { scrub } from '../../scrubbing/scrub.ts';
import { findJsonIds } from './json-ids.ts';

/** Header of a request; of most the length of the value alone. */
export interface ShownHeader {
  name: string;
  value: string | null;
  length: number;
}

interface DescribedRequest {
  method: string;
  path: string;
  headers: ShownHeader[];
  namedIds: string[];
}

/** A request as it is shown to its project. */
export interface RequestSample extends DescribedRequest {
  status: number;
  /** First characters of the key that it names; null: it names none. */
  keyPrefix: string | null;
  /** Reason of the refusal as a sentence; null: it was accepted. */
  detail: string | null;
  /** Id in the answer of a refusal. */
  requestId: string | null;
}

export interface DescribableRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body?: unknown;
}

/** Headers whose values say how a body is sent, and by what. */
const SHOWN_HEADERS = new Set([
  'content-encoding',
  'content-length',
  'content-type',
  'origin',
  'transfer-encoding',
  'user-agent',
  'x-github-event',
]);
/** Headers by which senders name a request. */
const ID_HEADERS = ['idempotency-key', 'x-github-delivery', 'webhook-id', 'svix-id', 'ce-id'];
const SENTRY_CLIENT = /sentry_client\s*=\s*"?([\w.@/+-]{1,100})/;
const HEADER_NAME = /^[a-z][a-z-]{0,39}$/;
const MAX_HEADERS = 40;
const MAX_TEXT_LENGTH = 200;
const MAX_DETAIL_LENGTH = 300;
const MAX_SEGMENTS = 8;
/** Segment of a path that is a word of an address or its version, rather than a value. */
const WORD = /^(?:[a-z][a-z_.-]{0,23}|v\d)$/;
const NUMBER = /^\d{1,9}$/;
/** Words of addresses behind which a secret follows. */
const BEFORE_SECRET = new Set(['hooks', 'ping', 'push']);

/** Bytes at the beginning of a body in which its sender's id of it may be. */
const START_BYTES = 4_096;
const MAX_UNPACKED_BYTES = 256 * 1024;
const MAX_BODY_IDS = 8;

/** Describes a request without its secrets: names, lengths, and what of its headers says how it was sent. */
export function describeRequest({ method, url, headers, body }: DescribableRequest): DescribedRequest {
  const shown = Object.entries(headers).slice(0, MAX_HEADERS).map(showHeader);
  const client = SENTRY_CLIENT.exec(`${String(headers['x-sentry-auth'] ?? '')},${url}`)?.[1];
  if (client !== undefined)
    shown.push({ name: 'sentry_client', value: hideSecrets(client), length: client.length });
  return {
    method: method.slice(0, MAX_TEXT_LENGTH),
    path: showPath(url),
    headers: shown.filter(({ name }) => HEADER_NAME.test(name) || name === 'sentry_client'),
    namedIds: [...findBodyIds({ url, headers, body }), ...ID_HEADERS.map((name) => headers[name])]
      .filter((id) => typeof id === 'string' && id !== '')
      .map((id) => hashNamedId(String(id))),
  };
}

/** Returns the form in which ids of senders are kept and searched; UUIDs with and without dashes are the same. */
export function hashNamedId(id: string): string {
  const plain = /^[\da-f-]{32,36}$/i.test(id) ? id.replaceAll('-', '').toLowerCase() : id;
  return createHash('sha256').update(plain).digest('base64url').slice(0, 22);
}

/** Returns the sentence of a refusal, without the names of fields that the sender chose. */
export function describeRefusal({ message, extras }: ApiError): string {
  let detail = message;
  for (const { pointer } of extras.fields ?? []) {
    const [, first = '', ...chosen] = pointer.split('/');
    if (chosen.length > 0) detail = detail.replaceAll(pointer, `/${first}/…`);
  }
  return hideSecrets(detail).slice(0, MAX_DETAIL_LENGTH);
}

function showHeader([name, value]: [string, string | string[] | undefined]): ShownHeader {
  const text = String(value ?? '');
  const isShown = SHOWN_HEADERS.has(name);
  return { name, value: isShown ? hideSecrets(text).slice(0, MAX_TEXT_LENGTH) : null, length: text.length };
}

/** Returns the words of an address; what else is in it may be a secret. */
function showPath(url: string): string {
  const [path = '', query] = url.split('?', 2);
  const segments = path.split('/').slice(0, MAX_SEGMENTS + 1);
  const shown = segments.map((segment, index) => {
    const isSecret = BEFORE_SECRET.has(segments[index - 1] ?? '') || segments[index - 2] === 'cron';
    return segment === '' || (!isSecret && (WORD.test(segment) || NUMBER.test(segment))) ? segment : '…';
  });
  return `${shown.join('/')}${query === undefined ? '' : '?…'}`;
}

function hideSecrets(text: string): string {
  return scrub({ text }).fields.text.replaceAll(/(tsn_[a-z]+_\w{0,5})\w*/g, '$1…');
}

function findBodyIds({ url, headers, body }: Omit<DescribableRequest, 'method'>): string[] {
  if (!(body instanceof Buffer)) return [];
  const bytes = body.subarray(0, START_BYTES);
  const text = headers['content-encoding'] === 'gzip' ? unpackStart(bytes) : bytes.toString();
  // The first line of an envelope names it; other ids stand in its items.
  const start = url.startsWith('/api/') ? text.split('\n', 1)[0] : text;
  return findJsonIds((start ?? '').slice(0, START_BYTES), MAX_BODY_IDS);
}

/** Returns what a cut-off beginning of a body holds; empty: it is not in this coding. */
function unpackStart(start: Buffer): string {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_UNPACKED_BYTES };
    return gunzipSync(start, options).toString();
  } catch {
    return '';
  }
}
