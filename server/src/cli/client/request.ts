import { CommandError } from '../../platform/command-error.ts';
import type { Connection } from './connection.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { describeNetworkError } from './network-error.ts';

const TIMEOUT_MS = 30_000;

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
}

/** Answer of a server of any version: each field is checked when it is read. */
export type Fields = Record<string, unknown>;

export interface ApiAnswer {
  body: unknown;
  /** Cursor of the next page; null on the last one. */
  next: string | null;
  /** The server's clock, to the second; null if a proxy removed the header. */
  serverTimeMs: number | null;
}

/** The request may succeed later: the network failed, or the server has no capacity or no database. */
export class TemporaryError extends CommandError {
  override name = 'TemporaryError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, { ...options, exitCode: EXIT_CODES.unreachable });
  }
}

/** @throws CommandError with the server's message; TemporaryError */
export async function callApi(connection: Connection, request: ApiRequest): Promise<ApiAnswer> {
  const address = addressOf(connection.url, request);
  const response = await send(address, connection.token, request);
  const text = await readText(response, address);
  const body = response.status === 204 ? null : parse(text);
  if (response.ok && body !== undefined) {
    const date = Date.parse(response.headers.get('date') ?? '');
    return { body, next: nextCursor(response.headers), serverTimeMs: Number.isNaN(date) ? null : date };
  }
  throw describeFailure(response, address, body);
}

/** Reads pages of a list, until there are `limit` rows. */
export async function readList(
  connection: Connection,
  request: ApiRequest & { limit: number },
): Promise<{ rows: Fields[]; serverTimeMs: number | null }> {
  const rows: Fields[] = [];
  let cursor: string | undefined;
  for (;;) {
    const query = { ...request.query, limit: String(Math.min(500, request.limit - rows.length)), cursor };
    const { body, next, serverTimeMs } = await callApi(connection, { ...request, query });
    for (const row of asList(body)) rows.push(row);
    if (next === null || rows.length >= request.limit)
      return { rows: rows.slice(0, request.limit), serverTimeMs };
    cursor = next;
  }
}

export function asList(body: unknown): Fields[] {
  return Array.isArray(body) ? body.map(asFields) : [];
}

export function asFields(body: unknown): Fields {
  // Any object is a record of unknowns.
  return typeof body === 'object' && body !== null ? (body as Fields) : {};
}

export function addressOf(base: URL, { path, query = {} }: Pick<ApiRequest, 'path' | 'query'>): URL {
  const address = new URL(`${base.pathname.replace(/\/+$/, '')}${path}`, base);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, value);
  return address;
}

async function send(address: URL, token: string, { method = 'GET', body }: ApiRequest): Promise<Response> {
  try {
    return await fetch(address, {
      method,
      // The token is sent to this server alone.
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw unreachable(address, error);
  }
}

async function readText(response: Response, address: URL): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw unreachable(address, error);
  }
}

function unreachable(address: URL, error: unknown): CommandError {
  return new TemporaryError(`${address.origin} cannot be reached: ${describeNetworkError(error)}.`, {
    cause: error,
  });
}

function describeFailure(response: Response, address: URL, body: unknown): CommandError {
  const { status } = response;
  const { code, title, detail } = asFields(body);
  const said = [detail, title].find((words) => typeof words === 'string') ?? response.statusText;
  const sentence = `${address.origin} answered ${status}: ${said || 'nothing more'}`;
  const location = response.headers.get('location');
  if (status >= 300 && status < 400 && location)
    return new CommandError(`${address.origin} redirects to ${location}: log in to that address.`);
  if (typeof code !== 'string')
    return status >= 500
      ? new TemporaryError(sentence)
      : new CommandError(
          `There is no Tocsin at ${address.origin}: ${address.pathname} is answered ${status}.`,
          { exitCode: EXIT_CODES.notFound },
        );
  if (status === 404 && address.pathname.endsWith('/auth/me'))
    return new CommandError(
      `${address.origin} has no management API: use the address of the dashboard, not that of ingestion.`,
      { exitCode: EXIT_CODES.notFound },
    );
  if (status === 401)
    return new CommandError(`${sentence} Run \`tocsin login\` again.`, {
      exitCode: EXIT_CODES.unauthenticated,
    });
  if (status === 403) return new CommandError(sentence, { exitCode: EXIT_CODES.unauthenticated });
  if (status === 404) return new CommandError(sentence, { exitCode: EXIT_CODES.notFound });
  if (status === 429 || status >= 500) return new TemporaryError(sentence);
  return new CommandError(sentence);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads the cursor alone: the header has the public address of the service, which need not be the one of this
 * connection.
 */
function nextCursor(headers: Headers): string | null {
  const link = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return link && URL.canParse(link, 'http://localhost')
    ? new URL(link, 'http://localhost').searchParams.get('cursor')
    : null;
}
