import type { Problem } from './api-types.ts';

/** An answer that was no success: `detail` is a sentence for people, `fields` holds a message for each wrong field. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: Problem['code'];
  readonly fields: Map<string, string>;
  /** When it is worth trying again, where the service says so. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, problem: Partial<Problem>, retryAfterSeconds: number | null = null) {
    super(problem.detail ?? `The server responded with ${status}.`);
    this.status = status;
    this.code = problem.code ?? 'internal';
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = new Map(problem.errors?.map(({ pointer, message }) => [pointer.slice(1), message]));
  }
}

/** Time after which to retry a request that an overloaded service refused; null for other errors. */
export function busyForMs(error: Error | null): number | null {
  if (!(error instanceof ApiError) || error.status !== 503 || error.retryAfterSeconds === null) return null;
  return error.retryAfterSeconds * 1_000;
}

/** The service could not be reached at all. */
export class NetworkError extends Error {
  override name = 'NetworkError';
}

let onSessionEnd: () => void = () => {};

/** Calls back whenever the service says that there is no session any more. */
export function watchSessionEnd(listener: () => void): void {
  onSessionEnd = listener;
}

interface Options {
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** The request outlives the page. */
  keepalive?: boolean;
}

/**
 * Asks the API.
 * @param path with its query
 * @throws ApiError where the answer is no success, NetworkError where there is none
 */
export async function request<T>(method: string, path: string, options: Options = {}): Promise<T> {
  const { body } = await send(method, path, options);
  return body as T;
}

export interface Page<T> {
  items: T[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
  /** Null: the page misses nothing down to its last item. */
  scan: Scan | null;
  /** About how many groups were looked at where that ended the page before it was full; unset: it misses nothing. */
  scannedGroups?: number;
}

/** Asks for a page of a list; the `Link` header names the next one. */
export async function requestPage<T>(path: string, signal?: AbortSignal): Promise<Page<T>> {
  const { body, headers } = await send('GET', path, { signal });
  const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  const next = link ? new URL(link, location.href).searchParams.get('cursor') : null;
  const groups = headers.get('scanned-groups');
  const page = { items: body as T[], next, scan: scanOf(headers) };
  return groups === null ? page : { ...page, scannedGroups: Number(groups) };
}

/** All pages of a list whose rows are needed together, such as the names of all projects. */
export async function requestAll<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await requestPage<T>(withQuery(path, { cursor }), signal);
    for (const item of items) all.push(item);
    if (next === null) return all;
    cursor = next;
  }
}

/** How far the service looked where it did not look through the whole range. */
export interface Scan {
  /** From here on the answer is complete; of a list of the oldest first, up to here. */
  fromMs: number;
  /** So many events were looked through. */
  events: number;
}

export interface Scanned<T> {
  answer: T;
  /** Null: it is exact. */
  scan: Scan | null;
  /** Null: the range that was asked for. */
  counted: CountedRange | null;
}

/** What was counted in the place of the range that was asked for: whole hours. */
export interface CountedRange {
  fromMs: number;
  toMs: number;
}

/** Asks for what may be a sample. */
export async function requestScanned<T>(path: string, signal?: AbortSignal): Promise<Scanned<T>> {
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

/** Changes whose answers have not arrived. One of them may renew the session: its cookie is out of date until then. */
const pendingChanges = new Set<Promise<Response>>();

/** @param again after an answer that there is no session: it may have been renewed, in another tab too, meanwhile */
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

/** A path with a query of those parameters that have a value; a list is a parameter that is given several times. */
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
