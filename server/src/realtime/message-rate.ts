import type { WebSocket } from 'ws';
import type { Clock } from '../platform/clock.ts';
import { CLOSE } from './clients.ts';

const MAX_MESSAGES_A_SECOND = 20;
/** How long a client that sends too much may take to answer the close frame. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Passes the messages of a client on, at most 20 a second; pings and pongs count. Past that the connection is
 * closed (1008) and nothing more of it is read, so that a flood costs the one who sends it.
 */
export function readMessages(socket: WebSocket, clock: Clock, onMessage: (text: string) => void): void {
  let allowed = MAX_MESSAGES_A_SECOND;
  let countedMs = clock.now();
  let closing = false;

  const isAllowed = (): boolean => {
    if (closing) return false;
    const now = clock.now();
    // A clock that was set back gives nothing.
    const earned = (Math.max(0, now - countedMs) / 1_000) * MAX_MESSAGES_A_SECOND;
    allowed = Math.min(MAX_MESSAGES_A_SECOND, allowed + earned);
    countedMs = now;
    if (allowed >= 1) {
      allowed--;
      return true;
    }
    closing = true;
    socket.close(CLOSE.policy, 'too many messages');
    socket.pause();
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
    return false;
  };

  socket.on('ping', isAllowed);
  socket.on('pong', isAllowed);
  socket.on('message', (data) => {
    // Without `binaryType` a message is one Buffer.
    if (isAllowed()) onMessage((data as Buffer).toString());
  });
}
