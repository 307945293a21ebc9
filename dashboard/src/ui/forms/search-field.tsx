import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { TextField } from './field.tsx';

/** Pause after which typed words apply. */
const PAUSE_MS = 200;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  /** Description of `/`, which moves the focus here, for the list of keys. */
  shortcut: string;
  maxLength: number;
  /** Applied words: the field shows them unless they are being edited. */
  value: string;
  /** Applies words; `isDone` once the field is left. */
  onChange: (value: string, isDone: boolean) => void;
  pauseMs?: number;
  /** Actions of further keys in the field, in place of the browser's. */
  keys?: Partial<Record<'Enter' | 'ArrowDown', (field: HTMLInputElement) => void>>;
  className?: string;
}

/** A search field of a list: typed text applies after a pause, or when the field is left. */
export function SearchField({ shortcut, value, onChange, keys = {}, ...props }: SearchFieldProps) {
  const { pauseMs = PAUSE_MS, className, ...field } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const [page] = useState(() => location.pathname);
  const frame = useRef<HTMLDivElement>(null);
  const commit = (isDone: boolean) => {
    // A page that the user has left would be opened again.
    if (draft !== null && draft.trim() !== value && location.pathname === page)
      onChange(draft.trim(), isDone);
  };
  const commitNow = useEffectEvent(() => commit(false));
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => afterPress(() => commitNow()), pauseMs);
    return () => clearTimeout(timer);
  }, [draft, pauseMs]);
  useShortcuts([{ keys: '/', label: shortcut, run: () => frame.current?.querySelector('input')?.focus() }]);
  return (
    <div ref={frame} className={className}>
      <TextField
        type="search"
        labelHidden
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck="false"
        {...field}
        value={draft ?? value}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() =>
          afterPress(() => {
            commit(true);
            // The field follows the address again.
            setDraft(null);
          })
        }
        onKeyDown={(event) => {
          const { key, currentTarget } = event;
          // Browsers would delete the typed text on Escape.
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

/** Runs once no pointer is pressed, after the click: rows that change meanwhile would take it from what is pressed. */
function afterPress(run: () => void): void {
  if (!document.documentElement.matches(':active')) {
    run();
    return;
  }
  const end = new AbortController();
  const release = () => {
    end.abort();
    setTimeout(run);
  };
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, release, { capture: true, signal: end.signal });
}
