import { WebSocket } from 'ws';
import type { Connection } from './connection.ts';
import { addressOf } from './request.ts';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Maximum silence: the service pings every 30 seconds, so without one for longer the connection is dead. */
const SILENCE_MS = 75_000;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/**
 * Signals that something new may be in the lists: after a frame of the WebSocket, and whenever the connection was
 * made. It reconnects by itself, and reports no error: a fault of the token or the server shows in the lists.
 */
export class LiveHints {
  readonly #connection: Connection;
  readonly #topic: string;
  readonly #event: string;
  #socket: WebSocket | null = null;
  #retry: NodeJS.Timeout | null = null;
  #failures = 0;
  #isClosed = false;
  #isHinted = false;
  #wake: () => void = () => {};

  /** @param event name of the frames that are hints */
  constructor(connection: Connection, topic: string, event: string) {
    this.#connection = connection;
    this.#topic = topic;
    this.#event = event;
    this.#connect();
  }

  /** Resolves at the next hint, at once if there was one since the last call, and after `maxMs` at the latest. */
  async next(maxMs: number): Promise<void> {
    if (!this.#isHinted) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, maxMs);
      });
      clearTimeout(timer);
    }
    this.#isHinted = false;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#retry) clearTimeout(this.#retry);
    this.#socket?.terminate();
  }

  #hint(): void {
    this.#isHinted = true;
    this.#wake();
  }

  #connect(): void {
    const { url, token } = this.#connection;
    const address = addressOf(url, { path: '/ws' });
    address.protocol = url.protocol.replace('http', 'ws');
    const socket = new WebSocket(address, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      maxPayload: MAX_FRAME_BYTES,
      followRedirects: false,
    });
    this.#socket = socket;
    const silence = setTimeout(() => socket.terminate(), SILENCE_MS);
    socket.on('open', () => {
      this.#failures = 0;
      socket.send(JSON.stringify({ subscribe: this.#topic }));
      this.#hint();
    });
    socket.on('ping', () => silence.refresh());
    socket.on('message', (data) => {
      silence.refresh();
      // The name comes first in a frame: most need not be parsed.
      const start = Buffer.isBuffer(data) ? data.subarray(0, 100).toString('latin1') : '';
      if (start.includes(`"${this.#event}"`)) this.#hint();
    });
    // The close event follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(silence);
      if (this.#isClosed) return;
      const delayMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#failures++, 10));
      this.#retry = setTimeout(() => this.#connect(), delayMs * (0.5 + Math.random() / 2));
      this.#hint();
    });
  }
}
