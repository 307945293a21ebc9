import { type Static, Type } from 'typebox';
import { readTargetUrl } from '../../outgoing/target-url.ts';
import { defineChannel } from '../base/channel.ts';
import { interpretOnly, jsonRequest, readObject } from '../base/json-request.ts';
import type { Outcome } from '../base/outcome.ts';
import { toDiscordMessage } from './discord-message.ts';

/** Discord's error code of an unknown message. */
const UNKNOWN_MESSAGE = 10_008;

const Config = Type.Object({
  url: Type.String({
    description:
      'URL of a webhook (channel settings, Integrations, Webhooks). `?thread_id=…` sends to a thread of the channel.',
    examples: ['https://discord.com/api/webhooks/123…/…'],
    maxLength: 2_048,
  }),
});
type Config = Static<typeof Config>;

/**
 * Webhook of Discord (https://discord.com/developers/docs/resources/webhook): one message per incident,
 * edited.
 */
export const discord = defineChannel<Config>({
  transport: 'http',
  label: 'Discord',
  schema: Config,
  fields: { url: 'secret address' },
  check: ({ url }) => {
    const read = readTargetUrl(url);
    if ('problem' in read) return [{ field: 'url', message: read.problem }];
    return /\/webhooks\/\d+\/[\w-]+$/.test(read.url.pathname)
      ? []
      : [{ field: 'url', message: 'The address must end with /webhooks/, a number, / and a token.' }];
  },
  describe: () => 'Discord webhook',
  // Discord allows 5 in 2 s, and 30 a minute per channel.
  rate: { burst: 5, perSecond: 0.5 },
  canEdit: () => true,
  render: ({ config, message, previous, services }) => {
    const url = new URL(config.url);
    const body = toDiscordMessage(message);
    if (previous) {
      url.pathname += `/messages/${encodeURIComponent(previous['id'] ?? '')}`;
      return [jsonRequest('PATCH', url.href, body, { services })];
    }
    url.searchParams.set('wait', 'true');
    return [jsonRequest('POST', url.href, body, { services })];
  },
  interpret: (results, { nowMs, previous }) => {
    const [result] = results;
    if (result?.kind === 'answer' && previous && result.status === 404) {
      const { code } = readObject(result);
      if (code === UNKNOWN_MESSAGE) return { kind: 'message_gone', reason: 'The message was deleted.' };
    }
    return interpretOnly(results, (answer) => toDelivered(readObject(answer)), nowMs);
  },
});

function toDelivered({ id }: Record<string, unknown>): Outcome {
  return { kind: 'delivered', remote: typeof id === 'string' ? { id } : null };
}
