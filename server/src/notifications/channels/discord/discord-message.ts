import { isoTime } from '../../../platform/time.ts';
import type { Message } from '../../messages/message.ts';
import { cutText } from '../base/cut.ts';
import { SILENCE_LABEL } from '../base/message-text.ts';

/** Maximum code points that Discord accepts, after escaping; 6,000 for a whole embed. */
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 3_000;
const MAX_FIELD_NAME = 64;
const MAX_FIELD_VALUE = 256;
const MAX_FIELDS = 5;
const MAX_FOOTER = 300;

const COLORS: Record<Message['severity'], number> = {
  info: 0x6b7280,
  warn: 0xd97706,
  error: 0xdc2626,
  critical: 0x7f1d1d,
};
const RESOLVED_COLOR = 0x16a34a;

/** Renders one embed, in which no text of users is formatting, a link or a mention. */
export function toDiscordMessage(message: Message): object {
  const { headline, lines, facts, url, silenceUrl, why, severity, state, at } = message;
  const isLinkable = url !== null && hasDottedHost(url);
  const text = [...lines, ...(url !== null && !isLinkable ? [url] : [])].join('\n');
  // The only link with formatting: its text is the service's own.
  const silence = isLinkable && silenceUrl !== null ? [`[${SILENCE_LABEL}](${silenceUrl})`] : [];
  const description = [...(text === '' ? [] : [escapeWithin(text, MAX_DESCRIPTION)]), ...silence].join('\n');
  return {
    username: 'Tocsin',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escapeWithin(headline, MAX_TITLE),
        ...(description !== '' && { description }),
        ...(isLinkable && { url }),
        color: state === 'resolved' ? RESOLVED_COLOR : COLORS[severity],
        fields: facts.slice(0, MAX_FIELDS).map(({ label, value }) => ({
          name: escapeWithin(label, MAX_FIELD_NAME),
          value: escapeWithin(value, MAX_FIELD_VALUE),
          inline: true,
        })),
        // Discord formats nothing in a footer.
        footer: { text: cutText(why, MAX_FOOTER) },
        timestamp: isoTime(at),
      },
    ],
  };
}

/** Discord answers 400 to the link of an embed whose host has no dot, such as `localhost`. */
function hasDottedHost(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.includes('.');
}

/**
 * Cuts to at most `max` code points with a backslash before every character that Markdown or a mention could
 * begin with.
 */
function escapeWithin(text: string, max: number): string {
  let escaped = '';
  let length = 0;
  for (const point of text) {
    const shown = /[\\*_~`|>#[\]()<@:-]/.test(point) ? `\\${point}` : point;
    length += shown.length === 2 && shown.startsWith('\\') ? 2 : 1;
    if (length > max - 1) return `${escaped}…`;
    escaped += shown;
  }
  return escaped === '' ? '–' : escaped;
}
