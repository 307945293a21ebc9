import { Agent, type RequestOptions as RequestConfiguration, request as sendRequest } from 'node:http';

/**
 * Without a timeout the agent ignores the hint of a server how long it keeps a connection, and a request may meet a socket that
 * the server is closing. It is less than the 5 s of default after which a server of Node closes it.
 */
const AGENT = new Agent({ keepAlive: true, timeout: 4_000 });

/** Answer of the API. The body is untyped, since tests assert its shape. */
export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape they are about to assert
  body: any;
}

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** Returns the address of the next page of a list. */
export function nextPage({ headers }: Pick<Answer, 'headers'>): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
}

/** Reads all pages of a list. @throws Error where one is refused */
export async function readPages(api: ApiClient, path: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let address: string | undefined = path; address !== undefined; ) {
    const answer: Answer = await api.get(address);
    if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}.`);
    pages.push(answer);
    address = nextPage(answer);
  }
  return pages;
}

/** Reads the rows of all pages of a list. */
export async function readAll(api: ApiClient, path: string): Promise<Answer['body'][]> {
  return (await readPages(api, path)).flatMap(({ body }) => body);
}

/** Speaks HTTP to a service as an application or a browser would, and keeps the session cookie. */
export class ApiClient {
  readonly baseUrl: string;
  cookie: string | null = null;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.baseUrl = baseUrl;
    this.#headers = headers;
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', path, options);
  }

  post(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('POST', path, { ...options, body });
  }

  put(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('PUT', path, { ...options, body });
  }

  patch(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('PATCH', path, { ...options, body });
  }

  delete(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('DELETE', path, options);
  }

  /** Sends a request; a body of string or bytes is sent unchanged, with the caller's content type. */
  async request(method: string, path: string, { body, headers = {} }: RequestOptions = {}): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const sent = raw || body === undefined ? body : JSON.stringify(body);
    const answer = await exchange(new URL(path, this.baseUrl), sent, {
      method,
      headers: {
        accept: '*/*',
        'user-agent': 'node',
        // Compressing an answer and reading it costs more than making most of them.
        'accept-encoding': 'identity',
        ...(sent !== undefined && { 'content-length': Buffer.byteLength(sent) }),
        ...(typeof body === 'string' && { 'content-type': 'text/plain;charset=UTF-8' }),
        ...(body !== undefined && !raw && { 'content-type': 'application/json' }),
        ...(this.cookie && { cookie: this.cookie }),
        ...this.#headers,
        ...headers,
      },
    });
    const setCookie = answer.headers.getSetCookie().find((value) => value.startsWith('session='));
    if (setCookie) this.cookie = setCookie.split(';', 1)[0] ?? null;
    const json = /json/.test(answer.headers.get('content-type') ?? '') && answer.text !== '';
    return {
      status: answer.status,
      headers: answer.headers,
      body: json ? JSON.parse(answer.text) : answer.text,
    };
  }
}

/** Sends a request by `node:http`, at half of the cost of `fetch`. */
function exchange(
  url: URL,
  body: string | Uint8Array | undefined,
  options: RequestConfiguration,
): Promise<{ status: number; headers: Headers; text: string }> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { ...options, agent: AGENT }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const headers = new Headers();
        for (const [name, values = []] of Object.entries(response.headersDistinct))
          for (const value of values) headers.append(name, value);
        const text = new TextDecoder().decode(Buffer.concat(chunks));
        resolve({ status: response.statusCode ?? 0, headers, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
