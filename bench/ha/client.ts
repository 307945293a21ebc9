import { Agent, request } from 'node:http';

/** Longer than the service takes to answer at worst. */
const TIMEOUT_MS = 12_000;
const MAX_CONNECTIONS = 128;

interface Answer {
  /** 0: no answer within the time, or a broken connection. */
  status: number;
  /** Parsed JSON; null where there is none. */
  body: unknown;
  cookie: string;
}

export interface RequestOptions {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs?: number;
}

/** A client of one process of Tocsin, on connections that stay open. */
export class Client {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });

  constructor(port: number) {
    this.#port = port;
  }

  send(path: string, { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS }: RequestOptions = {}) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const sizes = body === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return new Promise<Answer>((resolve) => {
      const fail = () => resolve({ status: 0, body: null, cookie: '' });
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          path,
          method,
          agent: this.#agent,
          headers: { ...type, ...sizes, ...headers },
        },
        (answer) => {
          let received = '';
          answer.on('data', (chunk: Buffer) => {
            received += chunk.toString();
          });
          answer.once('error', fail);
          answer.once('end', () => {
            const cookie = answer.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
            resolve({ status: answer.statusCode ?? 0, body: parse(received), cookie });
          });
        },
      );
      sent.setTimeout(timeoutMs, () => sent.destroy());
      sent.once('error', fail);
      sent.end(text);
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
