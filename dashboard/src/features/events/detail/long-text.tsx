import { useState } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { cutText } from './tree-bounds.ts';

interface LongTextProps {
  text: string;
  limit?: number;
  className?: string;
}

/** A text with its line breaks; of a very long one the beginning, until somebody asks for all of it. */
export function LongText({ text, limit, className = '' }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? text : cutText(text, limit);
  return (
    <span className={`whitespace-pre-wrap wrap-anywhere ${className}`}>
      {shown}
      {shown.length < text.length && (
        <>
          …{' '}
          <MoreButton onClick={() => setWhole(true)}>
            show all {formatCount(text.length)} characters
          </MoreButton>
        </>
      )}
    </span>
  );
}

/** A way to what is not shown yet, in the middle of a text. */
export function MoreButton({ onClick, children }: { onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded font-sans text-xs text-accent underline underline-offset-2"
    >
      {children}
    </button>
  );
}
