import type { Message } from '../../messages/message.ts';
import { cutText } from '../base/cut.ts';
import { factLine, OPEN_LABEL, SILENCE_LABEL } from '../base/message-text.ts';

/** Telegram accepts 4,096 UTF-16 units without the markup; a code point has up to two. */
const MAX_HEADLINE = 200;
const MAX_LINES = 1_400;
const MAX_REST = 200;

/** Renders Telegram's subset of HTML, with all texts of users escaped. */
export function toTelegramText(
  message: Pick<Message, 'headline' | 'lines' | 'facts' | 'why' | 'url' | 'silenceUrl'>,
): string {
  const { headline, lines, why, url, silenceUrl } = message;
  const link = (label: string, address: string | null) =>
    address === null ? [] : [`<a href="${escapeHtml(address)}">${label}</a>`];
  const part = (text: string, max: number) => escapeHtml(cutText(text, max));
  return [
    `<b>${part(headline, MAX_HEADLINE)}</b>`,
    part(lines.join('\n'), MAX_LINES),
    part(factLine(message), MAX_REST),
    [...link(OPEN_LABEL, url), ...link(SILENCE_LABEL, silenceUrl)].join(' · '),
    `<i>${part(why, MAX_REST)}</i>`,
  ]
    .filter((text) => text !== '')
    .join('\n');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
