import { type Static, Type } from 'typebox';
import { type Attempt, defineChannel } from '../base/channel.ts';
import { interpretOnly, jsonRequest, readObject } from '../base/json-request.ts';
import type { Outcome } from '../base/outcome.ts';
import { toTelegramText } from './telegram-text.ts';

const API_URL = 'https://api.telegram.org';

const Config = Type.Object({
  token: Type.String({
    description: 'Token of a bot, issued by @BotFather.',
    pattern: '^\\d{5,20}:[A-Za-z0-9_-]{30,64}$',
    examples: ['123456789:AAE…'],
  }),
  chatId: Type.String({
    description: 'The id of the chat, negative for a group, or @name of a public channel.',
    pattern: '^(-?\\d{1,20}|@[A-Za-z]\\w{3,31})$',
    examples: ['-1001234567890'],
  }),
  topicId: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of a topic within the group.' }),
  ),
});
type Config = Static<typeof Config>;

/** Bot API (https://core.telegram.org/bots/api): one message per incident, edited. */
export const telegram = defineChannel<Config>({
  transport: 'http',
  label: 'Telegram',
  schema: Config,
  fields: { token: 'secret', chatId: 'open', topicId: 'open' },
  check: () => [],
  describe: ({ chatId }) => chatId,
  // Telegram allows 20 a minute in a group.
  rate: { burst: 3, perSecond: 1 / 3 },
  canEdit: () => true,
  render: ({ config: { token, chatId, topicId }, message, previous, services }) => {
    const content = {
      text: toTelegramText(message),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    };
    const method = (name: string) => `${API_URL}/bot${token}/${name}`;
    if (previous) {
      const edited = { chat_id: previous['chatId'], message_id: Number(previous['messageId']) };
      return [jsonRequest('POST', method('editMessageText'), { ...edited, ...content }, { services })];
    }
    const body = {
      chat_id: chatId,
      ...(topicId !== undefined && { message_thread_id: topicId }),
      ...content,
      disable_notification: message.severity === 'info' || message.state === 'resolved',
    };
    return [jsonRequest('POST', method('sendMessage'), body, { services })];
  },
  interpret: (results, attempt) => {
    const [result] = results;
    const answer = result?.kind === 'answer' ? readObject(result) : {};
    if (answer['ok'] === true) return toDelivered(answer, attempt);
    const parameters = readParameters(answer);
    if (parameters.movedTo !== null) {
      // A group became a supergroup: its new id is stored, and the message is sent there.
      const outcome = { kind: 'retry', reason: 'The group has a new id.', retryAfterMs: 0 } as const;
      return { kind: 'changed', outcome, config: { ...attempt.config, chatId: parameters.movedTo } };
    }
    const description = typeof answer['description'] === 'string' ? answer['description'] : '';
    const special = interpretDescription(description, attempt);
    if (special) return special;
    const outcome = interpretOnly(results, () => toDelivered(answer, attempt), attempt.nowMs);
    const { retryAfterMs } = parameters;
    if (outcome.kind === 'retry' && retryAfterMs !== null) return { ...outcome, retryAfterMs };
    return description === '' || outcome.kind === 'delivered'
      ? outcome
      : { ...outcome, reason: `Telegram answered “${description.slice(0, 200)}”.` };
  },
});

function toDelivered({ result }: Record<string, unknown>, { previous }: Attempt<Config>): Outcome {
  if (typeof result !== 'object' || result === null) return { kind: 'delivered', remote: previous };
  const { message_id: messageId, chat } = result as { message_id?: unknown; chat?: { id?: unknown } };
  const isKnown = typeof messageId === 'number' && chat?.id !== undefined;
  const remote = isKnown ? { messageId: String(messageId), chatId: String(chat.id) } : previous;
  return { kind: 'delivered', remote };
}

/** Outcomes that Telegram tells apart by the description of a 400 alone. */
function interpretDescription(description: string, { previous }: Attempt<Config>): Outcome | null {
  if (description.includes('message is not modified')) return { kind: 'delivered', remote: previous };
  if (/message (to edit not found|can't be edited)|MESSAGE_ID_INVALID/.test(description)) {
    return { kind: 'message_gone', reason: 'The message was deleted, or is too old to be edited.' };
  }
  if (/chat not found|PEER_ID_INVALID|TOPIC_(CLOSED|DELETED)|message thread not found/.test(description)) {
    const reason = `Telegram answered “${description.slice(0, 200)}”.`;
    return { kind: 'permanent', reason, isTargetRefused: true };
  }
  return null;
}

/** https://core.telegram.org/bots/api#responseparameters */
function readParameters({ parameters }: Record<string, unknown>): {
  movedTo: string | null;
  retryAfterMs: number | null;
} {
  if (typeof parameters !== 'object' || parameters === null) return { movedTo: null, retryAfterMs: null };
  const { migrate_to_chat_id: chatId, retry_after: seconds } = parameters as Record<string, unknown>;
  return {
    movedTo: typeof chatId === 'number' || typeof chatId === 'string' ? String(chatId) : null,
    retryAfterMs: typeof seconds === 'number' ? Math.min(3_600, Math.max(0, seconds)) * 1_000 : null,
  };
}
