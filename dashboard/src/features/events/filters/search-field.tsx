import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '../../../../../server/src/events/limits.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { texts } from '../texts.ts';

/** Long enough to let a word be typed, short enough not to be felt. */
const DEBOUNCE_MS = 150;

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Enter or the arrow down: moves to the results. */
  onDone: () => void;
}

/** Words that the message must hold. Typed text shows at once and is applied a moment later. */
export function SearchField({ value, onChange, onDone }: SearchFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const field = useRef<HTMLDivElement>(null);
  const commit = useEffectEvent(() => {
    if (draft !== null && draft.trim() !== value) onChange(draft.trim());
  });
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => commit(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useShortcuts([
    { keys: '/', says: texts.search.key, run: () => field.current?.querySelector('input')?.focus() },
  ]);
  const takeKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') {
      // Browsers would delete what was typed.
      event.preventDefault();
      event.currentTarget.blur();
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      onDone();
    }
  };
  return (
    <div ref={field} className="min-w-32 flex-1">
      <TextField
        type="search"
        label={texts.search.label}
        labelHidden
        placeholder={texts.search.placeholder}
        aria-keyshortcuts="/"
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        spellCheck={false}
        value={draft ?? value}
        onChange={(event) => setDraft(event.target.value)}
        // From now on the field follows the address.
        onBlur={() => {
          if (draft !== null && draft.trim() !== value) onChange(draft.trim());
          setDraft(null);
        }}
        onKeyDown={takeKey}
      />
    </div>
  );
}
