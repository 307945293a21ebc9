import { texts } from '../texts.ts';
import { messageParts } from './message-parts.ts';

/** A message on one line, with muted variable parts. */
export function Message({ text }: { text: string }) {
  const parts = messageParts(text);
  if (parts.length === 0) return <span className="text-text-muted">{texts.event.noMessage}</span>;
  return parts.map(({ text: part, varies }, index) => (
    <span key={index} className={varies ? 'text-text-muted' : ''}>
      {part}
    </span>
  ));
}
