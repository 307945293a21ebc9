import type { Message } from '../../messages/message.ts';
import { cutText } from '../base/cut.ts';
import { factLine, OPEN_LABEL, SILENCE_LABEL } from '../base/message-text.ts';

/** Maximum code points that Slack accepts in a header, a section and an element of a context. */
const MAX_HEADER = 150;
const MAX_SECTION = 3_000;
const MAX_CONTEXT = 2_000;

/**
 * Renders a message of blocks (https://docs.slack.dev/reference/block-kit/blocks). All texts are
 * `plain_text`, in which nothing is formatting or a mention; `text`, which system notifications show, is
 * escaped.
 */
export function toSlackMessage(message: Message): object {
  const { headline, lines, why, url, silenceUrl } = message;
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const text = lines.join('\n');
  const button = (label: string, address: string | null) =>
    address === null ? [] : [{ type: 'button', text: plain(label), url: address }];
  const buttons = [...button(OPEN_LABEL, url), ...button(SILENCE_LABEL, silenceUrl)];
  const context = [factLine(message), why].filter((part) => part !== '').join('\n');
  return {
    text: escapeMrkdwn(cutText(headline, MAX_HEADER)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(cutText(headline, MAX_HEADER)) },
      ...(text === '' ? [] : [{ type: 'section', text: plain(cutText(text, MAX_SECTION)) }]),
      { type: 'context', elements: [plain(cutText(context, MAX_CONTEXT))] },
      ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }]),
    ],
  };
}

/**
 * Escapes the three characters that Slack's documentation names, and no others: a backslash would be shown.
 */
function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
