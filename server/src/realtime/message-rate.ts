import type { WebSocket } from 'ws';
import type { Clock } from '../platform/clock.ts';
import { CLOSE } from './clients.ts';

const MAX_MESSAGES_A_SECOND = 20;
/** How long a client that exceeds the rate may take to answer the close frame. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Reads at most 20 messages a second of a client; pings and pongs count. Beyond that the connection is closed (1008)
 * and not read any further.
 */
export function readMessages(socket: WebSocket, clock: Clock, onMessage: (text: string) => void): void {
  let allowed = MAX_MESSAGES_A_SECOND;
  let countedMs = clock.now();
  let closing = false;

  const isAllowed = (): boolean => {
    if (closing) return false;
    const now = clock.now();
    // A clock that was set back earns no messages.
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
