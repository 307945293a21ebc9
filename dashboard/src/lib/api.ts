import type { Problem } from './api-types.ts';

/** A response that is no success: the message is a sentence for people, `fields` has a message for each wrong field. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: Problem['code'];
  readonly fields: Map<string, string>;
  /** Time after which to try again; null if the service names none. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, problem: Partial<Problem>, retryAfterSeconds: number | null = null) {
    super(problem.detail ?? `The server responded with ${status}.`);
    this.status = status;
    this.code = problem.code ?? 'internal';
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = new Map(problem.errors?.map(({ pointer, message }) => [pointer.slice(1), message]));
  }
}

/** Returns the time after which to retry a request that an overloaded service refused; null for other errors. */
export function busyForMs(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.status !== 503 || error.retryAfterSeconds === null) return null;
  return error.retryAfterSeconds * 1_000;
}

/** The service could not be reached at all. */
export class NetworkError extends Error {
  override name = 'NetworkError';
}

let onSessionEnd: () => void = () => {};

/** Calls `listener` whenever the service answers that there is no session. */
export function watchSessionEnd(listener: () => void): void {
  onSessionEnd = listener;
}

interface Options {
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** True if the request has to outlive the page. */
  keepalive?: boolean;
}

/**
 * Sends a request to the API.
 * @param path path with its query
 * @throws ApiError if the response is no success, NetworkError if there is none
 */
export async function request<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const { body } = await send(method, path, options);
  return body as T;
}

export interface Page<T> {
  items: T[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
  /** End of a scan that was cut short; null if the page is complete down to its last item. */
  scan: Scan | null;
  /** Approximate number of scanned groups, if that ended the page before it was full; unset if it is complete. */
  scannedGroups?: number;
}

/** Reads a page of a list; the `Link` header names the next one. */
export async function requestPage<T>(path: string, signal?: AbortSignal): Promise<Page<T>> {
  const { body, headers } = await send('GET', path, { signal });
  const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  const next = link ? new URL(link, location.href).searchParams.get('cursor') : null;
  const groups = headers.get('scanned-groups');
  const page = { items: body as T[], next, scan: scanOf(headers) };
  return groups === null ? page : { ...page, scannedGroups: Number(groups) };
}

/** Reads all pages of a list whose rows are needed together, such as the names of all projects. */
export async function requestAll<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await requestPage<T>(withQuery(path, { cursor }), signal);
    for (const item of items) all.push(item);
    if (next === null) return all;
    cursor = next;
  }
}

/** Extent of a scan that did not cover the whole range. */
export interface Scan {
  /** Time from which the answer is complete; in a list with the oldest first, up to which it is. */
  fromMs: number;
  /** Number of scanned events. */
  events: number;
}

export interface ScannedAnswer<T> {
  answer: T;
  /** Extent of the scan; null if the answer is exact. */
  scan: Scan | null;
  /** Counted range; null if it is the requested one. */
  counted: CountedRange | null;
}

/** Range of whole hours that was counted in place of the requested one. */
interface CountedRange {
  fromMs: number;
  toMs: number;
}

/** Reads an answer that may cover only a part of the range. */
export async function requestScanned<T>(path: string, signal?: AbortSignal): Promise<ScannedAnswer<T>> {
  const { body, headers } = await send('GET', path, { signal });
  const [from, to] = [headers.get('counted-from'), headers.get('counted-to')];
  // The bounds are exclusive.
  const counted =
    from === null || to === null ? null : { fromMs: Date.parse(from) + 1, toMs: Date.parse(to) };
  return { answer: body as T, scan: scanOf(headers), counted };
}

function scanOf(headers: Headers): Scan | null {
  const edge = headers.get('scanned-from') ?? headers.get('scanned-to');
  if (edge === null) return null;
  return { fromMs: Date.parse(edge), events: Number(headers.get('scanned-events')) };
}

/** Changes without an answer yet. One of them may renew the session: until its answer the cookie is out of date. */
const pendingChanges = new Set<Promise<Response>>();

/** @param again true if this repeats a request without a session: it may have been renewed meanwhile, also in another tab */
async function send(
  method: string,
  path: string,
  { body, signal, keepalive = false }: Options,
  again = false,
): Promise<{ body: unknown; headers: Headers }> {
  const init: RequestInit = { method, credentials: 'same-origin', signal: signal ?? null, keepalive };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'content-type': 'application/json' };
  }
  const answer = fetch(path, init);
  if (method !== 'GET') pendingChanges.add(answer);
  let response: Response;
  try {
    response = await answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NetworkError('Couldn’t reach the server. Try again in a moment.', { cause: error });
  } finally {
    pendingChanges.delete(answer);
  }
  const text = await response.text();
  const parsed: unknown = text === '' ? undefined : parseJson(text);
  if (response.ok) return { body: parsed, headers: response.headers };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const error = new ApiError(response.status, parsed ?? {}, Number.isNaN(retryAfter) ? null : retryAfter);
  if (error.code === 'unauthenticated') {
    if (method === 'GET' && !again) {
      await Promise.allSettled(pendingChanges);
      return send(method, path, { signal }, true);
    }
    onSessionEnd();
  }
  throw error;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds a query of the parameters that have a value to a path; a list repeats its parameter. */
export function withQuery(
  path: string,
  parameters: Record<string, string | number | string[] | undefined>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== '') query.append(name, String(each));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
