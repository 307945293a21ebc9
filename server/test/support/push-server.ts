import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { atEnd } from './at-end.ts';

/** Message sent to a browser. */
interface PushedMessage {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages whose shape they are about to assert
  data: any;
  headers: IncomingHttpHeaders;
  bytes: number;
  /** Claims of the VAPID token. */
  claims: { aud: string; exp: number; sub: string };
}

/** Browser that has subscribed at the push server. */
export interface PushBrowser {
  /** Subscription in the form of `PushSubscription.toJSON()`. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  received: PushedMessage[];
  /** Answer to its next messages. */
  answer: { status: number; headers?: Record<string, string> };
}

export interface PushServer {
  /** @param publicKey the `applicationServerKey`; null accepts any */
  subscribe: (publicKey: string | null) => PushBrowser;
  /** Faults of requests, each of which is answered with 400. */
  faults: string[];
}

/**
 * Starts a push service (RFC 8030 and 8292) on a free port of localhost, and the browsers behind it. It accepts nothing
 * that a real one might refuse, and decrypts (RFC 8291) by its own code.
 */
export async function startPushServer(): Promise<PushServer> {
  // The certificate has an authority of its own, which a running process cannot come to trust. That certificates are
  // checked is asserted in `send-request.test.ts`.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const directory = path.join(import.meta.dirname, 'tls');
  const [key, cert] = await Promise.all(
    ['server-key.pem', 'server.pem'].map((name) => readFile(path.join(directory, name))),
  );
  const browsers = new Map<string, { browser: PushBrowser; secrets: Secrets }>();
  const faults: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method, url = '', headers } = request;
      const found = browsers.get(url);
      if (!found) {
        response.writeHead(404).end();
        return;
      }
      const { browser, secrets } = found;
      const origin = `https://${headers.host ?? ''}`;
      read({ method, headers, body: Buffer.concat(pieces) }, origin, secrets).then(
        (message) => {
          const { status, headers: extra = {} } = browser.answer;
          if (status < 300) browser.received.push(message);
          response.writeHead(status, { location: `${origin}/message/1`, ...extra }).end();
        },
        (error: unknown) => {
          faults.push(String(error));
          response.writeHead(400).end(String(error));
        },
      );
    });
  }).listen(0, 'localhost');
  await once(server, 'listening');
  atEnd(() => {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    faults,
    subscribe: (publicKey) => {
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys('base64url');
      const auth = randomBytes(16);
      const place = `/send/${randomBytes(24).toString('base64url')}`;
      const browser: PushBrowser = {
        subscription: {
          endpoint: `https://localhost:${port}${place}`,
          keys: { p256dh, auth: auth.toString('base64url') },
        },
        received: [],
        answer: { status: 201 },
      };
      browsers.set(place, { browser, secrets: { ecdh, auth, publicKey } });
      return browser;
    },
  };
}

interface Secrets {
  ecdh: ECDH;
  auth: Buffer;
  publicKey: string | null;
}

interface Incoming {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

async function read(
  { method, headers, body }: Incoming,
  origin: string,
  secrets: Secrets,
): Promise<PushedMessage> {
  demand(method === 'POST', 'the method');
  demand(/^\d{1,9}$/.test(String(headers['ttl'])), 'TTL');
  demand(/^(?:very-low|low|normal|high)$/.test(String(headers['urgency'])), 'Urgency');
  demand(/^[-_A-Za-z0-9]{1,32}$/.test(String(headers['topic'])), 'Topic');
  demand(headers['content-encoding'] === 'aes128gcm', 'Content-Encoding');
  demand(body.length <= 4_096, 'the size');
  demand(headers['content-length'] === String(body.length), 'Content-Length');
  const claims = await verify(headers.authorization ?? '', origin, secrets.publicKey);
  return { data: JSON.parse(decrypt(body, secrets)), headers, bytes: body.length, claims };
}

/** RFC 8292, by WebCrypto: the service signs by another interface. */
async function verify(authorization: string, origin: string, expected: string | null) {
  const [, token = '', key = ''] = /^vapid t=([-\w.]+), ?k=([-\w]+)$/.exec(authorization) ?? [];
  demand(token !== '', 'Authorization');
  demand(expected === null || key === expected, 'the key of the sender');
  const [header = '', content = '', signature = ''] = token.split('.');
  const { alg, typ } = JSON.parse(bytes(header).toString());
  demand(alg === 'ES256' && typ === 'JWT', 'the header of the token');
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const publicKey = await webcrypto.subtle.importKey('raw', bytes(key), curve, false, ['verify']);
  const isSigned = await webcrypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    publicKey,
    bytes(signature),
    Buffer.from(`${header}.${content}`),
  );
  demand(isSigned, 'the signature');
  const claims = JSON.parse(bytes(content).toString());
  const seconds = Date.now() / 1_000;
  demand(claims.aud === origin, 'aud');
  demand(claims.exp > seconds && claims.exp <= seconds + 24 * 3_600, 'exp');
  demand(/^(?:https:\/\/|mailto:)\S+$/.test(claims.sub), 'sub');
  return claims;
}

/** RFC 8291 and 8188, by the steps of the receiver. */
function decrypt(body: Buffer, { ecdh, auth }: Secrets): string {
  const salt = body.subarray(0, 16);
  const recordBytes = body.readUInt32BE(16);
  const keyBytes = body.readUInt8(20);
  const sender = body.subarray(21, 21 + keyBytes);
  const sealed = body.subarray(21 + keyBytes);
  demand(keyBytes === 65 && recordBytes >= 18 && sealed.length <= recordBytes, 'the header of the content');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const shared = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = plain.findLastIndex((byte) => byte !== 0);
  demand(plain[end] === 2, 'the delimiter');
  return plain.subarray(0, end).toString();
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

function demand(condition: boolean, what: string): void {
  if (!condition) throw new Error(`${what} is not as the protocol has it`);
}
