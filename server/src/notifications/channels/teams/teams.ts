import { type Static, Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { readTargetUrl } from '../../outgoing/target-url.ts';
import { defineChannel } from '../base/channel.ts';
import { cutText } from '../base/cut.ts';
import { interpretOnly, jsonRequest } from '../base/json-request.ts';
import { OPEN_LABEL, SILENCE_LABEL } from '../base/message-text.ts';

/** Teams accepts 28 kB in all; a character has at most four bytes, or six as JSON escapes it. */
const MAX_HEADLINE = 250;
const MAX_TEXT = 2_500;
const MAX_FACT = 200;
const MAX_WHY = 300;

const Config = Type.Object({
  url: Type.String({
    description:
      'URL of a workflow “Post to a channel when a webhook request is received”. Its messages cannot be edited.',
    examples: ['https://….logic.azure.com/workflows/…'],
    maxLength: 4_096,
  }),
});
type Config = Static<typeof Config>;

/**
 * Webhook of Workflows: it accepts an adaptive card (https://adaptivecards.io/explorer, 1.2) and answers 202.
 */
export const teams = defineChannel<Config>({
  transport: 'http',
  label: 'Microsoft Teams',
  schema: Config,
  fields: { url: 'secret address' },
  check: ({ url }) => {
    const read = readTargetUrl(url);
    if ('problem' in read) return [{ field: 'url', message: read.problem }];
    return read.url.hostname.endsWith('.webhook.office.com')
      ? [
          {
            field: 'url',
            message: 'Office 365 connectors are retired: create a workflow in Teams, and enter its address.',
          },
        ]
      : [];
  },
  describe: () => 'Teams workflow',
  rate: { burst: 4, perSecond: 1 },
  canEdit: () => false,
  render: ({ config, message, services }) => [jsonRequest('POST', config.url, toCard(message), { services })],
  interpret: (results, { nowMs }) =>
    interpretOnly(results, () => ({ kind: 'delivered', remote: null }), nowMs),
});

const COLORS: Record<Message['severity'], string> = {
  info: 'default',
  warn: 'warning',
  error: 'attention',
  critical: 'attention',
};

/**
 * Renders rich text blocks alone: a text block would interpret Markdown, so a user's text could be a link.
 */
function toCard({ headline, lines, facts, why, url, silenceUrl, severity, state }: Message): object {
  const block = (runs: object[]) => ({ type: 'RichTextBlock', inlines: runs });
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
  const color = state === 'resolved' ? 'good' : COLORS[severity];
  const text = lines.join('\n');
  const open = (title: string, address: string | null) =>
    address === null ? [] : [{ type: 'Action.OpenUrl', title, url: address }];
  const actions = [...open(OPEN_LABEL, url), ...open(SILENCE_LABEL, silenceUrl)];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    msteams: { width: 'full' },
    body: [
      block([run(cutText(headline, MAX_HEADLINE), { weight: 'bolder', size: 'large', color })]),
      ...(text === '' ? [] : [block([run(cutText(text, MAX_TEXT))])]),
      ...facts.map(({ label, value }) =>
        block([run(`${label}: `, { weight: 'bolder' }), run(cutText(value, MAX_FACT))]),
      ),
      block([run(cutText(why, MAX_WHY), { isSubtle: true, size: 'small' })]),
    ],
    ...(actions.length > 0 && { actions }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}
