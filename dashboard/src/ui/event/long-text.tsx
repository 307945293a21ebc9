import { useState } from 'react';
import { texts } from '../texts.ts';
import { cutText } from './tree-bounds.ts';

interface LongTextProps {
  text: string;
  limit?: number;
  className?: string;
}

/** A text with its line breaks; a very long one is cut until the user expands it. */
export function LongText({ text, limit, className = '' }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? text : cutText(text, limit);
  return (
    <span className={`whitespace-pre-wrap wrap-anywhere ${className}`}>
      {shown}
      {shown.length < text.length && (
        <>
          … <MoreButton onClick={() => setWhole(true)}>{texts.event.showAll(text.length)}</MoreButton>
        </>
      )}
    </span>
  );
}

/** Shows the hidden rest, from within a text. */
export function MoreButton({ onClick, children }: { onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-6 rounded font-sans text-xs text-accent underline underline-offset-2"
    >
      {children}
    </button>
  );
}
