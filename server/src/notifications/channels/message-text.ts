import type { Message } from '../messages/message.ts';

/** The facts in one line: `Project: Shop · Severity: error`. */
export function factLine({ facts }: Pick<Message, 'facts'>): string {
  return facts.map(({ label, value }) => `${label}: ${value}`).join(' · ');
}

/** What buttons and links that lead to the page say. */
export const OPEN_LABEL = 'Open in Tocsin';

/** Everything but the headline as plain text, for channels without a layout. */
export function bodyText(message: Pick<Message, 'lines' | 'facts' | 'why' | 'url'>, withUrl = false): string {
  const { lines, why, url } = message;
  const paragraphs = [...lines, factLine(message), ...(withUrl && url !== null ? [url] : []), why];
  return paragraphs.filter((text) => text !== '').join('\n');
}
