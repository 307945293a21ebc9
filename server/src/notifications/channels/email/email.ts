import { type Static, Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { type Attempt, defineChannel } from '../base/channel.ts';
import { cutText } from '../base/cut.ts';
import { bodyText } from '../base/message-text.ts';
import type { Outcome } from '../base/outcome.ts';

const MAX_SUBJECT = 200;
const MAX_TEXT = 20_000;

const Config = Type.Object({
  to: Type.String({
    description: 'One address. A group of people: their list, or a target each.',
    pattern: '^[^\\s@<>,;:"]{1,64}@[^\\s@<>,;:"]{1,255}$',
    examples: ['on-call@example.com'],
  }),
});
type Config = Static<typeof Config>;

/** Plain-text mail over the server in SMTP_URL. All mails of an incident form one thread. */
export const email = defineChannel<Config>({
  transport: 'direct',
  label: 'Email',
  schema: Config,
  fields: { to: 'address' },
  check: () => [],
  describe: ({ to }) => to,
  recipientOf: ({ to }) => to,
  // 60 an hour.
  rate: { burst: 10, perSecond: 1 / 60 },
  canEdit: () => false,
  deliver: async ({ config, message, services }: Attempt<Config>) => {
    if (!services.sendMail) {
      const reason = 'The service can’t send email. Set SMTP_URL and SMTP_FROM.';
      return { outcome: { kind: 'permanent', reason, isTargetRefused: false }, status: null, body: '' };
    }
    try {
      const body = await services.sendMail({ to: config.to, ...toMail(message) });
      return { outcome: { kind: 'delivered', remote: null }, status: readStatus(body), body };
    } catch (error) {
      return failureOf(error);
    }
  },
});

function toMail(message: Message) {
  const { headline, threadId, url } = message;
  // No mail has this id: mail programs group the mails that refer to it.
  const root = `<${threadId}@tocsin.invalid>`;
  return {
    subject: cutText(message.threadHeadline, MAX_SUBJECT),
    text: cutText(`${headline}\n\n${bodyText(message, true)}\n`, MAX_TEXT),
    headers: {
      'In-Reply-To': root,
      References: root,
      ...(url !== null && { 'List-Unsubscribe': `<${new URL('/app/alerts/destinations', url).href}>` }),
    },
  };
}

/** Classifies a server's refusal by its code (RFC 5321, 4.2.1): 4yz may pass, 5yz does not. */
function failureOf(error: unknown): { outcome: Outcome; status: number | null; body: string } {
  // Errors of the library have these fields; others have none of them.
  const { responseCode, response, code } = error as {
    responseCode?: unknown;
    response?: unknown;
    code?: unknown;
  };
  const status = typeof responseCode === 'number' ? responseCode : null;
  const body = typeof response === 'string' ? response : '';
  const isFinal = (status !== null && status >= 500) || code === 'EAUTH';
  const reason =
    status === null
      ? 'The mail server couldn’t be reached, or closed the connection.'
      : `Answered ${status}.`;
  const outcome: Outcome = isFinal
    ? { kind: 'permanent', reason, isTargetRefused: false }
    : { kind: 'retry', reason, retryAfterMs: null };
  return { outcome, status, body };
}

function readStatus(response: string): number | null {
  const [code] = /^\d{3}/.exec(response) ?? [];
  return code === undefined ? null : Number(code);
}
