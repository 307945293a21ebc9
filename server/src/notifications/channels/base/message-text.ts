import type { Message } from '../../messages/message.ts';

/** Formats the facts as one line: `Project: Shop · Severity: error`. */
export function factLine({ facts }: Pick<Message, 'facts'>): string {
  return facts.map(({ label, value }) => `${label}: ${value}`).join(' · ');
}

/** Label of buttons and links to the page. */
export const OPEN_LABEL = 'Open in Tocsin';
/** Label of links to the dialog that silences the subject. */
export const SILENCE_LABEL = 'Silence for 4 hours';

/** Formats everything but the headline as plain text, for channels without a layout. */
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
