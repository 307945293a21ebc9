import { type Static, Type } from 'typebox';
import { readTargetUrl } from '../../outgoing/target-url.ts';
import { type Attempt, defineChannel } from '../base/channel.ts';
import { interpretOnly, jsonRequest } from '../base/json-request.ts';
import type { Outcome } from '../base/outcome.ts';
import { interpretSlackAnswer } from './slack-answers.ts';
import { toSlackMessage } from './slack-message.ts';

const API_URL = 'https://slack.com/api';

const Config = Type.Object({
  webhookUrl: Type.Optional(
    Type.String({
      description:
        'URL of an incoming webhook. Its messages cannot be edited: each change of an incident is one more.',
      examples: ['https://hooks.slack.com/services/T…/B…/…'],
      maxLength: 2_048,
    }),
  ),
  botToken: Type.Optional(
    Type.String({
      description:
        'Bot token of an app with the scope `chat:write`, in place of the webhook. An incident has one message, which is edited.',
      pattern: '^xox[a-z]-[A-Za-z0-9-]{10,250}$',
      examples: ['xoxb-…'],
    }),
  ),
  channel: Type.Optional(
    Type.String({
      description: 'Id of a channel that the app was invited to; for a bot token only.',
      pattern: '^[A-Z0-9]{6,32}$',
      examples: ['C024BE91L'],
    }),
  ),
});
type Config = Static<typeof Config>;

/** An incoming webhook (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), or a bot. */
export const slack = defineChannel<Config>({
  transport: 'http',
  label: 'Slack',
  schema: Config,
  fields: { webhookUrl: 'secret address', botToken: 'secret', channel: 'open' },
  check: ({ webhookUrl, botToken, channel }) => {
    if ((webhookUrl === undefined) === (botToken === undefined)) {
      return [{ field: 'webhookUrl', message: 'Enter either this or a bot token, not both.' }];
    }
    if (webhookUrl === undefined) {
      return channel === undefined
        ? [{ field: 'channel', message: 'Enter the channel ID: a bot needs one.' }]
        : [];
    }
    const read = readTargetUrl(webhookUrl);
    return 'problem' in read ? [{ field: 'webhookUrl', message: read.problem }] : [];
  },
  describe: ({ channel }) => channel ?? 'incoming webhook',
  rate: { burst: 1, perSecond: 1 },
  // Lists of targets have no secrets, but only a bot has a channel.
  canEdit: ({ channel }) => channel !== undefined,
  render: ({ config, message, previous, services }) => {
    const { webhookUrl, botToken, channel } = config;
    const body = toSlackMessage(message);
    if (webhookUrl !== undefined) return [jsonRequest('POST', webhookUrl, body, { services })];
    const headers = { authorization: `Bearer ${botToken ?? ''}` };
    return previous
      ? [jsonRequest('POST', `${API_URL}/chat.update`, { ...previous, ...body }, { services, headers })]
      : [jsonRequest('POST', `${API_URL}/chat.postMessage`, { channel, ...body }, { services, headers })];
  },
  interpret: (results, attempt) =>
    interpretOnly(results, (answer) => onSuccess(answer.body, attempt), attempt.nowMs),
});

/** Interprets 2xx: a webhook answers `ok`; the API answers 200 with `ok: false` on failure. */
function onSuccess(body: string, { config }: Attempt<Config>): Outcome {
  if (config.webhookUrl === undefined) return interpretSlackAnswer({ body });
  if (body.trim() === 'ok') return { kind: 'delivered', remote: null };
  return { kind: 'permanent', reason: `Slack answered “${body.slice(0, 100)}”.`, isTargetRefused: false };
}
