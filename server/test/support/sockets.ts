import { WebSocket } from 'ws';
import { atEnd } from './at-end.ts';
import { waitFor } from './wait.ts';

/** Message as a dashboard receives it. */
interface Frame {
  event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into frames whose shape they are about to assert
  data: any;
  omitted?: number;
  /** Change of a group. */
  change?: string;
}

export interface TestSocket {
  socket: WebSocket;
  frames: Frame[];
  /** Close code, once the connection is closed. */
  closed: Promise<number>;
  /** Returns the messages, once there are at least so many. */
  received: (count: number) => Promise<Frame[]>;
}

export interface Handshake {
  cookie?: string | null;
  origin?: string;
  headers?: Record<string, string>;
  /** Query with its `?`. */
  query?: string;
}

/** Opens the WebSocket of a management process like a browser. It is closed at the end of the test file. */
export async function openSocket(managementUrl: string, handshake: Handshake = {}): Promise<TestSocket> {
  const socket = connectTo(managementUrl, handshake);
  const frames: Frame[] = [];
  socket.on('message', (data) => frames.push(JSON.parse((data as Buffer).toString()) as Frame));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  atEnd(() => socket.terminate());
  return {
    socket,
    frames,
    closed,
    received: (count) => waitFor(`${count} frames`, () => frames.length >= count && frames),
  };
}

/** Returns the status of a handshake: 101 if it succeeds. */
export function tryHandshake(managementUrl: string, handshake: Handshake): Promise<number> {
  const socket = connectTo(managementUrl, handshake);
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.once('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.once('error', reject);
  });
}

function connectTo(managementUrl: string, { cookie, origin, headers, query = '' }: Handshake): WebSocket {
  return new WebSocket(new URL(`/ws${query}`, managementUrl.replace('http', 'ws')), {
    headers: { ...(cookie && { cookie }), ...headers },
    ...(origin !== undefined && { origin }),
  });
}
