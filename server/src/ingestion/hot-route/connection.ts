import type { Socket } from 'node:net';
import type { DirectConnection } from '../../http/front-door.ts';
import { assert } from '../../platform/assert.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { KeyAuthentication } from '../authentication/authenticate.ts';
import { type Connection, LEAVING_MS } from '../intake/waiting-lines.ts';
import { IncomingBody } from './incoming-body.ts';
import { type Head, readHead } from './read-head.ts';

/** Shared part of the connections of a server. */
export interface HotRoute {
  authentication: KeyAuthentication;
  monotonicMs: () => number;
  /** Returns false once the server is being stopped. */
  isListening: () => boolean;
  /** Answers an event; never throws. */
  serve: (event: PlainEvent) => void;
  /** Passes a socket to `node:http` for good, with bytes that were read from it. */
  handOver: (connection: HotConnection, socket: Socket, bytes: Buffer) => void;
  /** Answers an error of a connection that `node:http` reports, as it does, by its code. */
  refuse: (socket: Socket, code: string) => void;
}

export interface PlainEvent {
  connection: HotConnection;
  owner: KeyOwner;
  key: string;
  body: Buffer;
}

/** Milliseconds that a connection may stay in a state; as in `http.Server`. */
export interface TimeLimits {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
}

/**
 * State of a connection, by what it waits for: its first request, the rest of a body, an answer (or the owner of a
 * key), the next request, or its end.
 */
type State = 'first' | 'body' | 'answer' | 'next' | 'end';

/** Allowed transitions. An answer is given once, and nothing is read before it. */
const NEXT_STATES: Readonly<Record<State, readonly State[]>> = {
  first: ['body', 'answer', 'end'],
  body: ['body', 'answer', 'end'],
  answer: ['next', 'end'],
  next: ['body', 'answer', 'end'],
  end: [],
};

/**
 * A connection that has sent nothing but plain events so far, one after the other. The first bytes that are anything
 * else go to `node:http`, with the socket: also half a head, and a second request behind the first.
 *
 * Guarantee: bytes are handed over as they came, before they had any effect and behind the answers of all requests
 * before them. The buffered bytes are bounded by a body, or by what the socket reads at a time.
 */
export class HotConnection implements Connection, DirectConnection {
  readonly #socket: Socket;
  readonly #route: HotRoute;
  #state: State = 'first';
  /** When it entered its state; for a body and an answer, when their request began. */
  #sinceMs: number;
  /** Head of the last request: most clients send the same one again and again. */
  #head: Head | null = null;
  #body: IncomingBody | null = null;
  /** Bytes that arrived before the answer to the previous request. */
  #waiting: Buffer | null = null;
  /** True once the client sends nothing more. It may still read, or be gone. */
  #ended = false;

  constructor(socket: Socket, route: HotRoute) {
    this.#socket = socket;
    this.#route = route;
    this.#sinceMs = route.monotonicMs();
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', ignore);
  }

  get destroyed(): boolean {
    return this.#socket.destroyed || this.#ended;
  }

  get goesOn(): boolean {
    return this.#waiting !== null || (this.#route.isListening() && !this.#ended);
  }

  /** Head of the request that waits for its answer, as it was sent. */
  get headText(): string {
    return this.#head?.text ?? '';
  }

  get elapsedMs(): number {
    return this.#route.monotonicMs() - this.#sinceMs;
  }

  answer(text: string, encoding: 'latin1' | 'utf8'): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    if (this.#state !== 'answer') socket.destroy();
    assert(this.#state === 'answer', `A connection that waits for ${this.#state} is answered.`);
    const isTaken = socket.write(text, encoding);
    if (!this.goesOn) {
      this.#enter('end');
      socket.destroySoon();
    } else if (isTaken) {
      this.#goOn();
    } else {
      // Reading stops while a client does not read its answers.
      socket.once('drain', () => this.#goOn());
    }
  }

  /** Closes the connection if it waits for a request. */
  closeIfIdle(): void {
    if (this.#state === 'first' || this.#state === 'next') this.#socket.destroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Closes the connection if a time limit is over. */
  checkTime({ headersTimeout, requestTimeout, keepAliveTimeout }: TimeLimits): void {
    const { elapsedMs } = this;
    if (this.#state === 'next' && elapsedMs >= keepAliveTimeout) this.#socket.destroy();
    const isLate =
      (this.#state === 'first' && elapsedMs >= headersTimeout) ||
      (this.#state === 'body' && elapsedMs >= requestTimeout);
    if (isLate) this.#refuse('ERR_HTTP_REQUEST_TIMEOUT');
  }

  readonly #onData = (bytes: Buffer): void => {
    switch (this.#state) {
      case 'first':
      case 'next':
        this.#sinceMs = this.#route.monotonicMs();
        return this.#read(bytes);
      case 'body':
        this.#body?.add(bytes);
        return this.#serveWhole();
      case 'answer':
        this.#waiting = this.#waiting ? Buffer.concat([this.#waiting, bytes]) : bytes;
        this.#socket.pause();
        return;
      case 'end':
        return;
    }
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    // `node:http` sends nothing to a client that offered HTTP/2 and does not complete its body.
    if (this.#state === 'body' && !this.#head?.offersH2c) this.#refuse('HPE_INVALID_EOF_STATE');
    else if (this.#state !== 'answer') this.#socket.end();
    // Before that it is answered; later its client has lost patience, and must not take a place in the intake.
    else if (this.elapsedMs >= LEAVING_MS) this.#socket.destroy();
  };

  #read(bytes: Buffer): void {
    const head = this.#route.isListening() ? this.#readHead(bytes) : null;
    if (!head) return this.#handOver(bytes);
    this.#head = head;
    const owner = this.#route.authentication.knownOwner(head.key);
    if (!owner) return void this.#findOwner(head.key, bytes);
    this.#body = new IncomingBody(head.bodyBytes, bytes.subarray(head.text.length));
    this.#serveWhole();
  }

  /** Parses a head; equal bytes have an equal meaning. */
  #readHead(bytes: Buffer): Head | null {
    const head = this.#head;
    if (head && bytes.toString('latin1', 0, head.text.length) === head.text) return head;
    return readHead(bytes);
  }

  /** Reads the request again once the owner is known. If the key has none, the framework answers. */
  async #findOwner(key: string, bytes: Buffer): Promise<void> {
    this.#enter('answer');
    this.#waiting = bytes;
    this.#socket.pause();
    const isKnown = await this.#route.authentication.requireOwner(key).then(
      () => true,
      () => false,
    );
    const waiting = this.#takeWaiting();
    if (this.#socket.destroyed || !waiting) return;
    if (!isKnown) return this.#handOver(waiting);
    this.#enter('next');
    this.#socket.resume();
    this.#read(waiting);
  }

  /** Serves the request if its body is complete. */
  #serveWhole(): void {
    const [head, body] = [this.#head, this.#body?.bytes];
    if (!head || !body) return;
    if (body.length < head.bodyBytes) {
      this.#enter('body');
      return;
    }
    this.#body = null;
    const owner = this.#route.authentication.knownOwner(head.key);
    // More than one request, or an owner that was forgotten meanwhile.
    if (body.length > head.bodyBytes || !owner)
      return this.#handOver(Buffer.concat([Buffer.from(head.text, 'latin1'), body]));
    this.#enter('answer');
    this.#route.serve({ connection: this, owner, key: head.key, body });
  }

  /** Continues after an answer. */
  #goOn(): void {
    this.#enter('next');
    this.#sinceMs = this.#route.monotonicMs();
    const waiting = this.#takeWaiting();
    if (!waiting || this.#socket.destroyed) return;
    this.#socket.resume();
    this.#read(waiting);
  }

  #takeWaiting(): Buffer | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting;
  }

  #refuse(code: string): void {
    this.#enter('end');
    this.#body = null;
    this.#route.refuse(this.#socket, code);
  }

  /** Changes the state. A bug closes the connection: a client without an answer sends its event again. */
  #enter(state: State): void {
    const mayEnter = NEXT_STATES[this.#state].includes(state);
    if (!mayEnter) this.#socket.destroy();
    assert(mayEnter, `A connection cannot change from ${this.#state} to ${state}.`);
    this.#state = state;
  }

  #handOver(bytes: Buffer): void {
    this.#enter('end');
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('error', ignore);
    this.#route.handOver(this, this.#socket, bytes);
  }
}

/** The socket is destroyed, and no client waits. */
function ignore(): void {}
