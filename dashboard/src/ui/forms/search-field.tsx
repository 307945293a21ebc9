import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { TextField } from './field.tsx';

/** Long enough to let a word be typed, short enough not to be felt. */
const PAUSE_MS = 200;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  /** What `/`, which moves the focus here, does: for the list of keys. */
  says: string;
  maxLength: number;
  /** The words that apply: the field shows them but while they are edited. */
  value: string;
  onChange: (value: string) => void;
  pauseMs?: number;
  /** What further keys do in the field, in place of what the browser does. */
  keys?: Partial<Record<'Enter' | 'ArrowDown', (field: HTMLInputElement) => void>>;
  className?: string;
}

/** Words to search a list for: typed text shows at once and applies after a pause, or when the field is left. */
export function SearchField({ says, value, onChange, keys = {}, ...props }: SearchFieldProps) {
  const { pauseMs = PAUSE_MS, className, ...field } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const commit = () => {
    if (draft !== null && draft.trim() !== value) onChange(draft.trim());
  };
  const commitNow = useEffectEvent(commit);
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => commitNow(), pauseMs);
    return () => clearTimeout(timer);
  }, [draft, pauseMs]);
  useShortcuts([{ keys: '/', says, run: () => frame.current?.querySelector('input')?.focus() }]);
  return (
    <div ref={frame} className={className}>
      <TextField
        type="search"
        labelHidden
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        {...field}
        value={draft ?? value}
        onChange={(event) => setDraft(event.target.value)}
        // From now on the field follows the address.
        onBlur={() => {
          commit();
          setDraft(null);
        }}
        onKeyDown={(event) => {
          const { key, currentTarget } = event;
          // Browsers would delete what was typed on Escape.
          const take =
            key === 'Escape'
              ? () => currentTarget.blur()
              : key === 'Enter' || key === 'ArrowDown'
                ? keys[key]
                : undefined;
          if (!take) return;
          event.preventDefault();
          take(currentTarget);
        }}
      />
    </div>
  );
}
