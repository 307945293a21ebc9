import type { SmtpAddress } from './smtp-address.ts';

/** How long a mail server may take to accept a connection, and to answer a command. */
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 20_000;
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

/** Each message has a connection of its own: they are few. The library is loaded with the first one. */
export function createSendMail(
  { from, ...server }: SmtpAddress & { from: string },
  totalTimeoutMs = TOTAL_TIMEOUT_MS,
): SendMail {
  return async (message) => {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      ...server,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: ANSWER_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), totalTimeoutMs);
    const isOver = new Promise<never>((_, reject) => {
      limit.signal.addEventListener('abort', () => reject(new Error('The mail server took too long.')));
    });
    try {
      // As an object, since a text is parsed and may name further recipients.
      const sent = transport.sendMail({
        ...message,
        from,
        to: { name: '', address: message.to },
        // Mail programs do not answer it.
        headers: { 'Auto-Submitted': 'auto-generated', ...message.headers },
      });
      const { response } = await Promise.race([sent, isOver]);
      return response;
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  };
}
