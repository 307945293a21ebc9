import type { IncomingHttpHeaders } from 'node:http';
import type { HttpApp } from './http-app.ts';

/** More than any route accepts, so that a body slightly too long costs its sender no connection. */
export const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

/**
 * Reads and discards a body that is answered before it is read, since the next request of the connection is behind
 * it: at most `MAX_UNREAD_BYTES`, and for as long as a request may take to arrive. Then the connection ends.
 */
export function boundUnreadBodies(app: HttpApp): void {
  app.addHook('onSend', ({ headers, raw }, reply, payload, done) => {
    if (announcesBody(headers) && !raw.complete && raw.readableFlowing === null) {
      if (Number(headers['content-length'] ?? 0) > MAX_UNREAD_BYTES) reply.header('connection', 'close');
      let bytes = 0;
      raw.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes <= MAX_UNREAD_BYTES) return;
        raw.pause();
        // The answer leaves first.
        if (reply.raw.writableFinished) raw.socket.destroy();
        else reply.raw.once('finish', () => raw.socket.destroySoon());
      });
    }
    done(null, payload);
  });
}

function announcesBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'] ?? '0';
  return length !== '0' || headers['transfer-encoding'] !== undefined;
}
