import { type Static, Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { readTargetUrl } from '../../outgoing/target-url.ts';
import { defineChannel } from '../base/channel.ts';
import { cutBytes, cutText } from '../base/cut.ts';
import { interpretOnly, jsonRequest } from '../base/json-request.ts';
import { bodyText, OPEN_LABEL, SILENCE_LABEL } from '../base/message-text.ts';

/** Maximum bytes of text. ntfy accepts 4,096, and turns a longer text into a file. */
const MAX_TEXT_BYTES = 4_000;
const MAX_TITLE_LENGTH = 250;

const Config = Type.Object({
  server: Type.String({
    description: 'The address of the ntfy server.',
    examples: ['https://ntfy.sh'],
    maxLength: 2_048,
  }),
  topic: Type.String({
    description: 'Subscribe to it in the app. On a public server a long random one: it is the only secret.',
    examples: ['tocsin-7Hq2vB9x'],
    pattern: '^[-_A-Za-z0-9]{1,64}$',
  }),
  token: Type.Optional(
    Type.String({
      description: 'An access token, where the topic is protected.',
      pattern: '^[\\x21-\\x7e]{1,256}$',
    }),
  ),
});
type Config = Static<typeof Config>;

/** Priorities from 1 to 5: from 4 on, telephones ring even in quiet mode. */
const PRIORITIES: Record<Message['severity'], number> = { info: 2, warn: 3, error: 4, critical: 5 };
const TAGS: Record<Message['state'], string> = {
  firing: 'rotating_light',
  acknowledged: 'eyes',
  resolved: 'white_check_mark',
  notice: 'information_source',
};

/** Publishes as JSON (https://docs.ntfy.sh/publish/#publish-as-json), to the root of the server. */
export const ntfy = defineChannel<Config>({
  transport: 'http',
  label: 'ntfy',
  schema: Config,
  fields: { server: 'address', topic: 'open', token: 'secret' },
  check: ({ server }) => {
    const read = readTargetUrl(server);
    return 'problem' in read ? [{ field: 'server', message: read.problem }] : [];
  },
  describe: ({ server, topic }) => `${URL.canParse(server) ? new URL(server).host : ''}/${topic}`,
  // ntfy.sh allows 60 at once, and then one in 5 s, per address.
  rate: { burst: 20, perSecond: 0.2 },
  canEdit: () => false,
  render: ({ config: { server, topic, token }, message, services }) => {
    const { headline, severity, state, url, silenceUrl } = message;
    const view = (label: string, address: string | null) =>
      address === null ? [] : [{ action: 'view', label, url: address }];
    const body = {
      topic,
      title: cutText(headline, MAX_TITLE_LENGTH),
      message: cutBytes(bodyText(message), MAX_TEXT_BYTES),
      priority: state === 'resolved' ? 2 : PRIORITIES[severity],
      tags: [TAGS[state]],
      ...(url !== null && {
        click: url,
        actions: [...view(OPEN_LABEL, url), ...view(SILENCE_LABEL, silenceUrl)],
      }),
    };
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return [jsonRequest('POST', new URL('/', server).href, body, { services, headers })];
  },
  interpret: (results, { nowMs }) =>
    interpretOnly(results, () => ({ kind: 'delivered', remote: null }), nowMs),
});
