import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { Message, Topic } from './api-types.ts';

export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'offline';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
/** Timeout of a handshake, which hangs in a network that drops packets. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Minimum duration of a successful connection: a service that accepts and closes at once is not flooded. */
const STABLE_MS = 5_000;
const TICK_MS = 10_000;
/** A longer pause of timers means that the computer slept: browsers run those of a hidden page once a minute. */
const SLEPT_MS = 75_000;

/**
 * The one WebSocket of the page. It reconnects with doubling, jittered delays, and reports each time it is live
 * whether messages may have been missed. A dropped connection is forgotten at once: its later messages and its end
 * are ignored, so there are never two.
 *
 * The browser answers the service's pings, invisibly to the page. A connection that died silently is therefore
 * inferred: the system reports that it is offline, or the computer slept.
 */
export class Realtime {
  #socket: WebSocket | null = null;
  #state: ConnectionState = 'connecting';
  #stopped = true;
  #failures = 0;
  #wasLive = false;
  /** Number of subscribers by topic. */
  readonly #wanted = new Map<Topic, number>();
  #lastTickMs = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #handshake: ReturnType<typeof setTimeout> | undefined;
  #stable: ReturnType<typeof setTimeout> | undefined;
  #ticks: ReturnType<typeof setInterval> | undefined;
  readonly #stateListeners = new Set<() => void>();
  readonly #messageListeners = new Set<(message: Message) => void>();
  readonly #liveListeners = new Set<(again: boolean) => void>();
  readonly #possibleSessionEndListeners = new Set<() => void>();

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    addEventListener('online', this.#onOnline);
    addEventListener('offline', this.#onOffline);
    document.addEventListener('visibilitychange', this.#checkSleep);
    this.#lastTickMs = Date.now();
    this.#ticks = setInterval(this.#checkSleep, TICK_MS);
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    removeEventListener('online', this.#onOnline);
    removeEventListener('offline', this.#onOffline);
    document.removeEventListener('visibilitychange', this.#checkSleep);
    clearInterval(this.#ticks);
    this.#drop();
    this.#failures = 0;
    this.#wasLive = false;
    this.#setState('connecting');
  }

  get state(): ConnectionState {
    return this.#state;
  }

  onState = (listener: () => void): (() => void) => subscribe(this.#stateListeners, listener);

  onMessage(listener: (message: Message) => void): () => void {
    return subscribe(this.#messageListeners, listener);
  }

  /**
   * Calls when the connection is live, and when a message has no listener; `again`: messages may have been missed, so the data must
   * be read again.
   */
  onLive(listener: (again: boolean) => void): () => void {
    return subscribe(this.#liveListeners, listener);
  }

  /** Calls when messages may have been missed. */
  onGap(listener: () => void): () => void {
    return this.onLive((again) => again && listener());
  }

  /** Calls when a handshake failed in a way that the end of the session would explain. */
  onPossibleSessionEnd(listener: () => void): () => void {
    return subscribe(this.#possibleSessionEndListeners, listener);
  }

  /** Subscribes to a topic, such as the live tail of events, until the returned function is called. */
  subscribeTo(topic: Topic): () => void {
    const before = this.#wanted.get(topic) ?? 0;
    this.#wanted.set(topic, before + 1);
    if (before === 0) this.#send({ subscribe: topic });
    let isWanted = true;
    return () => {
      if (!isWanted) return;
      isWanted = false;
      const left = (this.#wanted.get(topic) ?? 1) - 1;
      this.#wanted.set(topic, left);
      if (left === 0) this.#send({ unsubscribe: topic });
    };
  }

  /** Reconnects at once. */
  tryNow(): void {
    if (this.#stopped || this.#socket?.readyState === WebSocket.OPEN) return;
    this.#connect();
  }

  #connect(): void {
    this.#drop();
    const socket = new WebSocket(new URL('/ws', location.href.replace(/^http/, 'ws')));
    this.#socket = socket;
    this.#handshake = setTimeout(() => this.#retryLater(), HANDSHAKE_TIMEOUT_MS);
    let opened = false;
    socket.addEventListener('open', () => {
      if (this.#socket !== socket) return;
      opened = true;
      this.#goLive();
    });
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket !== socket) return;
      const message = JSON.parse(String(data)) as Message;
      for (const listener of this.#messageListeners) listener(message);
      // The page is not drawn yet, but may be reading its data.
      if (this.#messageListeners.size === 0) this.#reportLive(false);
    });
    socket.addEventListener('close', () => {
      if (this.#socket !== socket) return;
      this.#retryLater();
      // Browsers hide why a handshake was refused: a missing session may be the reason. The end of an open connection says
      // nothing: the service closes it when the session is renewed, too, and the next handshake has the new cookie.
      if (!opened && navigator.onLine) for (const listener of this.#possibleSessionEndListeners) listener();
    });
  }

  #goLive(): void {
    clearTimeout(this.#handshake);
    this.#stable = setTimeout(() => {
      this.#failures = 0;
    }, STABLE_MS);
    for (const [topic, count] of this.#wanted) if (count > 0) this.#send({ subscribe: topic });
    const again = this.#wasLive || this.#failures > 0;
    this.#wasLive = true;
    this.#setState('live');
    this.#reportLive(again);
  }

  #reportLive(again: boolean): void {
    for (const listener of this.#liveListeners) listener(again);
  }

  #retryLater(): void {
    this.#drop();
    this.#retry = setTimeout(() => this.#connect(), retryDelayMs(this.#failures, Math.random()));
    this.#failures++;
    this.#setState(navigator.onLine ? 'reconnecting' : 'offline');
  }

  /** Forgets the connection and its timers. */
  #drop(): void {
    for (const timer of [this.#retry, this.#handshake, this.#stable]) clearTimeout(timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  readonly #onOnline = (): void => {
    this.#failures = Math.min(this.#failures, 1);
    this.tryNow();
  };

  /** Reconnects, since the system is offline long before the connection notices; it may be wrong about a service on the same computer. */
  readonly #onOffline = (): void => this.#retryLater();

  readonly #checkSleep = (): void => {
    const nowMs = Date.now();
    const slept = nowMs - this.#lastTickMs > SLEPT_MS;
    this.#lastTickMs = nowMs;
    if (!slept) return;
    this.#setState('reconnecting');
    this.#connect();
  };

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }
}

/**
 * Returns the wait before the next attempt: half to all of a delay that doubles, so that not all pages reconnect
 * at the same moment.
 * @param random number from 0 to 1
 */
export function retryDelayMs(failures: number, random: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS) * (0.5 + random / 2);
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const realtime = new Realtime();

export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(realtime.onState, () => realtime.state);
}

/** Subscribes to a topic while the component is mounted and `isWanted`; `useMessages` receives its messages. */
export function useTopic(topic: Topic, isWanted = true): void {
  useEffect(() => (isWanted ? realtime.subscribeTo(topic) : undefined), [topic, isWanted]);
}

/** Calls `listener` with each message while the component is mounted. */
export function useMessages(listener: (message: Message) => void): void {
  const current = useEffectEvent(listener);
  useEffect(() => realtime.onMessage((message) => current(message)), []);
}
