import { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { StillClock } from '../../test/support/clock.ts';
import { readMessages } from './message-rate.ts';

class FakeSocket extends EventEmitter {
  readonly close = vi.fn<(code: number, reason: string) => void>();
  readonly pause = vi.fn<() => void>();
  readonly terminate = vi.fn<() => void>();
}

function start() {
  const socket = new FakeSocket();
  const clock = new StillClock();
  const messages: string[] = [];
  readMessages(socket as unknown as WebSocket, clock, (text) => messages.push(text));
  const send = (count: number, event = 'message') => {
    for (let index = 0; index < count; index++) socket.emit(event, Buffer.from(String(index)));
  };
  return { socket, clock, messages, send };
}

describe('the messages of a WebSocket', () => {
  it('accepts 20 messages a second from a WebSocket', () => {
    const { socket, clock, messages, send } = start();
    for (let second = 0; second < 10; second++) {
      send(20);
      clock.advance(1_000);
    }
    expect(messages).toHaveLength(200);
    expect(socket.close).not.toHaveBeenCalled();
  });

  it.each(['message', 'ping', 'pong'])(
    'closes the connection where there are more, each %s counted',
    (event) => {
      const { socket, clock, messages, send } = start();
      send(20, event);
      clock.advance(999);
      send(19, event);
      expect(socket.close).not.toHaveBeenCalled();
      send(3, event);
      expect(socket.close).toHaveBeenCalledExactlyOnceWith(1008, expect.any(String));
      expect(socket.pause).toHaveBeenCalledOnce();
      clock.advance(60_000);
      const before = messages.length;
      send(1);
      expect(messages).toHaveLength(before);
    },
  );

  it('lets a WebSocket neither save up messages nor gain some by a clock that is set back', () => {
    const { socket, clock, messages, send } = start();
    clock.advance(3_600_000);
    send(20);
    clock.advance(-7_200_000);
    expect(socket.close).not.toHaveBeenCalled();
    send(1);
    expect(messages).toHaveLength(20);
    expect(socket.close).toHaveBeenCalledOnce();
  });
});
