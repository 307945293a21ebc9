import type { Message } from '../messages/message.ts';

/** The facts in one line: `Project: Shop · Severity: error`. */
export function factLine({ facts }: Pick<Message, 'facts'>): string {
  return facts.map(({ label, value }) => `${label}: ${value}`).join(' · ');
}

/** What buttons and links that lead to the page say. */
export const OPEN_LABEL = 'Open in Tocsin';
/** What leads to the dialog that silences it. */
export const SILENCE_LABEL = 'Silence for 4 hours';

/** Everything but the headline as plain text, for channels without a layout. */
export function bodyText(
  message: Pick<Message, 'lines' | 'facts' | 'why' | 'url' | 'silenceUrl'>,
  withUrls = false,
): string {
  const { lines, why, url, silenceUrl } = message;
  const urls = [
    ...(url === null ? [] : [url]),
    ...(silenceUrl === null ? [] : [`${SILENCE_LABEL}: ${silenceUrl}`]),
  ];
  const paragraphs = [...lines, factLine(message), ...(withUrls ? urls : []), why];
  return paragraphs.filter((text) => text !== '').join('\n');
}
