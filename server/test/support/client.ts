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

/** Sends HTTP requests like an application or a browser, and keeps the session cookie. */
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
    const response = await fetch(new URL(path, this.baseUrl), {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && !raw && { 'content-type': 'application/json' }),
        ...(this.cookie && { cookie: this.cookie }),
        ...this.#headers,
        ...headers,
      },
      ...(body !== undefined && {
        body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const setCookie = response.headers.getSetCookie().find((value) => value.startsWith('session='));
    if (setCookie) this.cookie = setCookie.split(';', 1)[0] ?? null;
    const json = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  }
}
