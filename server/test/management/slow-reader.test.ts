import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { MAX_UNSENT_BYTES, MAX_UNSENT_BYTES_PER_OWNER, UnsentBytes } from '../../src/http/unsent-bytes.ts';
import { ApiError } from '../../src/platform/errors.ts';
import { type Client, Clients } from '../../src/realtime/clients.ts';
import { createMetrics } from '../../src/roles/metrics.ts';

/** A socket whose reads the test controls. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  /** Calls of frames that were sent, once their bytes have left. */
  readonly #sent: (() => void)[] = [];
  readonly send = vi.fn<(frame: string, sent: () => void) => void>((_, sent) => void this.#sent.push(sent));
  readonly ping = vi.fn<() => void>();
  readonly close = vi.fn<(code: number, reason: string) => void>(() => {
    this.readyState = 2;
  });
  readonly terminate = vi.fn<() => void>();

  get frames(): string[] {
    return this.send.mock.calls.map(([frame]) => frame);
  }

  drain(): void {
    for (const sent of this.#sent.splice(0)) sent();
    this.bufferedAmount = 0;
  }
}

const createClients = (unsent = new UnsentBytes()) => new Clients(createMetrics(), unsent);

function connect(clients: Clients, organizationId = 'one'): { socket: FakeSocket; client: Client } {
  const socket = new FakeSocket();
  const client: Client = {
    socket: socket as unknown as WebSocket,
    sessionId: 'session',
    organizationId,
    topics: new Set(),
    alive: true,
  };
  clients.add(client);
  return { socket, client };
}

describe('a reader of the WebSocket', () => {
  it('closes a WebSocket that does not drain with 1013 and keeps serving others', () => {
    const clients = createClients();
    const [slow, quick] = [connect(clients), connect(clients)];
    slow.socket.bufferedAmount = 1024 * 1024 + 1;
    quick.socket.bufferedAmount = 1024 * 1024;
    clients.send('one', 'incident_created', 'first');
    clients.send('one', 'incident_created', 'second');
    expect(slow.socket.frames).toEqual([]);
    expect(slow.socket.close).toHaveBeenCalledExactlyOnceWith(1013, expect.any(String));
    expect(quick.socket.frames).toEqual(['first', 'second']);
    expect(quick.socket.close).not.toHaveBeenCalled();
  });

  it.each([
    ['its organization holds its maximum of unsent bytes', 'one', MAX_UNSENT_BYTES_PER_OWNER],
    ['the process holds its maximum of unsent bytes', 'another', MAX_UNSENT_BYTES],
  ])('closes a WebSocket with any unread byte with 1013 while %s, and no other', (_, owner, bytes) => {
    const unsent = new UnsentBytes();
    const clients = createClients(unsent);
    const [behind, quick] = [connect(clients), connect(clients)];
    behind.socket.bufferedAmount = 1;
    clients.send('one', 'incident_created', 'first');
    const end = unsent.add(owner, bytes);
    clients.send('one', 'incident_created', 'second');
    end();
    clients.send('one', 'incident_created', 'third');
    expect(behind.socket.frames).toEqual(['first']);
    expect(behind.socket.close).toHaveBeenCalledExactlyOnceWith(1013, expect.any(String));
    expect(quick.socket.frames).toEqual(['first', 'second', 'third']);
    expect(quick.socket.close).not.toHaveBeenCalled();
  });

  it('counts frames with the unsent bytes of their organization until they have left', () => {
    const unsent = new UnsentBytes();
    const clients = createClients(unsent);
    const frame = 'a'.repeat(1024 * 1024);
    const sockets = Array.from({ length: 64 }, () => connect(clients).socket);
    clients.send('one', 'incident_created', frame);
    expect([unsent.isFull('one'), unsent.isFull('two')]).toEqual([true, false]);
    for (const socket of sockets) socket.drain();
    expect(unsent.isFull('one')).toBe(false);
  });

  it('closes a WebSocket that has not answered the last ping', () => {
    const clients = createClients();
    const [dead, alive] = [connect(clients), connect(clients)];
    clients.ping();
    expect(dead.socket.ping).toHaveBeenCalledOnce();
    alive.socket.emit('pong');
    clients.ping();
    expect(dead.socket.terminate).toHaveBeenCalledOnce();
    expect(alive.socket.terminate).not.toHaveBeenCalled();
  });

  it('forgets a WebSocket once it is closed', () => {
    const clients = createClients();
    const { socket } = connect(clients);
    socket.emit('error', new Error('broken'));
    expect(socket.terminate).toHaveBeenCalledOnce();
    socket.emit('close');
    expect(clients.size).toBe(0);
    clients.send('one', 'incident_created', 'late');
    expect(socket.send).not.toHaveBeenCalled();
  });
});

describe('the places for WebSockets', () => {
  const codeOf = (run: () => void) => {
    try {
      run();
      return 'none';
    } catch (error) {
      return error instanceof ApiError ? error.code : 'another error';
    }
  };

  it('allows 200 WebSockets an organization, over all of its sessions, without limiting other organizations', () => {
    const clients = createClients();
    const place = (id: string, organizationId: string) =>
      codeOf(() => clients.assertPlace({ id, organizationId }));
    const taken = Array.from({ length: 200 }, () => connect(clients, 'one'));
    expect(place('another session', 'one')).toBe('too_many_connections');
    expect(place('another session', 'two')).toBe('none');
    taken[0]?.socket.emit('close');
    expect(place('another session', 'one')).toBe('none');
    expect(place('session', 'one')).toBe('too_many_connections');
  });

  it('allows 10,000 WebSockets in all', () => {
    const clients = createClients();
    for (let index = 0; index < 10_000; index++) connect(clients, `organization ${index}`);
    expect(codeOf(() => clients.assertPlace({ id: 'new', organizationId: 'new' }))).toBe('unavailable');
  });
});
