import type { NotificationTarget } from '../../lib/api-types.ts';
import { texts } from './texts.ts';

type Kind = NotificationTarget['kind'];

/** Field of a target's configuration; its value is a text. */
export interface TargetField {
  name: string;
  label: string;
  hint: string;
  type: 'url' | 'text' | 'password' | 'member';
  isOptional: boolean;
  initially: string;
}

const words = texts.targetForm;

/** @param said label and hint of the field */
function field(
  name: string,
  [label = name, hint = '']: readonly string[],
  rest: Partial<TargetField> = {},
): TargetField {
  return { name, label, hint, type: 'text', isOptional: false, initially: '', ...rest };
}

const OPTIONAL = { isOptional: true };
const SECRET = { type: 'password' } as const;

/** Fields of each kind, in their order in the form. */
export const TARGET_FIELDS: Record<Kind, readonly TargetField[]> = {
  webhook: [field('url', words.webhook.url, { type: 'url' })],
  ntfy: [
    field('server', words.ntfy.server, { type: 'url', initially: 'https://ntfy.sh' }),
    field('topic', words.ntfy.topic),
    field('token', words.ntfy.token, { ...SECRET, ...OPTIONAL }),
  ],
  slack: [
    field('webhookUrl', words.slack.webhookUrl, { type: 'url', ...OPTIONAL }),
    field('botToken', words.slack.botToken, { ...SECRET, ...OPTIONAL }),
    field('channel', words.slack.channel, OPTIONAL),
  ],
  discord: [field('url', words.discord.url, { type: 'url' })],
  telegram: [field('token', words.telegram.token, SECRET), field('chatId', words.telegram.chatId)],
  teams: [field('url', words.teams.url, { type: 'url' })],
  pagerduty: [
    field('routingKey', words.pagerduty.routingKey, SECRET),
    field('region', words.pagerduty.region, OPTIONAL),
  ],
  email: [field('to', words.email.to)],
  webpush: [field('userId', words.webpush.userId, { type: 'member', ...OPTIONAL })],
};
