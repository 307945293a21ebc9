import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { lookUpBySystem, type SystemLookup } from '../platform/system-lookup.ts';
import type { SmtpAddress } from './smtp-address.ts';

/** How long a mail server may take to accept a connection, and to answer a command. */
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 20_000;
/** Time limit for one of several addresses, before the next one is tried. */
const ADDRESS_TIMEOUT_MS = 3_000;
/**
 * Time limit for all of it: a server that is slow with each answer would block the sender for minutes, and longer
 * than its lease.
 */
const TOTAL_TIMEOUT_MS = 25_000;

interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Further header fields, such as `References`. */
  headers?: Record<string, string>;
}

/**
 * Resolves with the server's last answer, such as `250 2.0.0 Ok: queued`, once the server has accepted the message:
 * it is then the server's to deliver. Rejects with an error whose `responseCode` is that of the server, if it
 * answered.
 */
export type SendMail = (message: MailMessage) => Promise<string>;

interface SendMailOptions {
  totalTimeoutMs?: number;
  lookUp?: SystemLookup;
}

/** Each message has a connection of its own: they are few. The library is loaded with the first one. */
export function createSendMail(
  { from, ...server }: SmtpAddress & { from: string },
  { totalTimeoutMs = TOTAL_TIMEOUT_MS, lookUp = lookUpBySystem }: SendMailOptions = {},
): SendMail {
  const deliver = async (message: MailMessage, limit: AbortSignal) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      ...server,
      connection: await openSocket(server, lookUp, limit),
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: ANSWER_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // As an object, since a text is parsed and may name further recipients.
    const { response } = await transport.sendMail({
      ...message,
      from,
      to: { name: '', address: message.to },
      // Mail programs do not answer it.
      headers: { 'Auto-Submitted': 'auto-generated', ...message.headers },
    });
    return response;
  };
  return async (message) => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), totalTimeoutMs);
    const isOver = new Promise<never>((_, reject) => {
      limit.signal.addEventListener('abort', () => reject(new Error('The mail server took too long.')));
    });
    try {
      return await Promise.race([deliver(message, limit.signal), isOver]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Connects to the first address of the server that answers. The library itself would look the name up on as many
 * threads as there are messages.
 * @param limit ends the connection, also a later one
 */
async function openSocket(
  { host, port }: SmtpAddress,
  lookUp: SystemLookup,
  limit: AbortSignal,
): Promise<Socket> {
  const signal = AbortSignal.any([limit, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]);
  const addresses = isIP(host) === 0 ? await lookUp(host, signal) : [];
  const socket = connect({
    host,
    port,
    signal: limit,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    lookup: (_name, _options, done) => done(null, addresses),
  });
  // Also of the limit, while neither this function nor the library listens.
  socket.on('error', () => socket.destroy());
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}
