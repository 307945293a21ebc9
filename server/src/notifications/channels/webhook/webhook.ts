import { type Static, Type } from 'typebox';
import { isoTime } from '../../../platform/time.ts';
import type { Message, Subject } from '../../messages/message.ts';
import { readTargetUrl } from '../../outgoing/target-url.ts';
import { defineChannel } from '../base/channel.ts';
import { interpretOnly } from '../base/json-request.ts';
import { generateWebhookSecret, signWebhook } from './signature.ts';

const Config = Type.Object({
  url: Type.String({
    description: 'Receives a POST for each message.',
    examples: ['https://example.com/hooks/tocsin'],
    maxLength: 2_048,
  }),
  secret: Type.Optional(
    Type.String({ description: 'Signs each request. The service makes it.', maxLength: 200 }),
  ),
  host: Type.Optional(
    Type.String({ description: 'Host of `url`, which is shown. The service makes it.', maxLength: 2_048 }),
  ),
});
type Config = Static<typeof Config>;

/** POST with a signature by Standard Webhooks, which libraries of every language verify. */
export const webhook = defineChannel<Config>({
  transport: 'http',
  label: 'Webhook',
  schema: Config,
  // For many receivers, anyone who knows the address can send to it: it is a secret.
  fields: { url: 'secret address', secret: 'signing key', host: 'derived' },
  derive: ({ url }) => (URL.canParse(url) ? { host: new URL(url).host } : {}),
  check: ({ url }) => {
    const read = readTargetUrl(url);
    return 'problem' in read ? [{ field: 'url', message: read.problem }] : [];
  },
  complete: ({ url }) => {
    const secret = generateWebhookSecret();
    return { config: { url, secret }, shownOnce: { secret } };
  },
  describe: ({ host }) => host ?? '',
  rate: { burst: 5, perSecond: 5 },
  canEdit: () => false,
  render: ({ config, message, nowMs, services }) => {
    const body = JSON.stringify(toBody(message));
    return [
      {
        method: 'POST',
        url: config.url,
        headers: {
          'content-type': 'application/json',
          'user-agent': `Tocsin/${services.version}`,
          ...signWebhook({ id: message.deliveryId, nowMs, body }, config.secret ?? ''),
        },
        body,
      },
    ];
  },
  interpret: (results, { nowMs }) =>
    interpretOnly(results, () => ({ kind: 'delivered', remote: null }), nowMs),
});

/** Body that a webhook receives. */
function toBody({ type, at, subject, lines, facts, project, url, why }: Message): object {
  return { type, timestamp: isoTime(at), data: { ...withoutKind(subject), lines, facts, project, url, why } };
}

/** `{ incident }`, `{ group }`…: the name of the field says which one it is. */
function withoutKind(subject: Subject): object {
  return Object.fromEntries(Object.entries(subject).filter(([name]) => name !== 'kind'));
}
