import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../ui/display/icons.tsx';
import { useModal } from '../../ui/layout/dialog.tsx';
import type { Entry } from './entry.ts';
import { usePaletteEntries } from './palette-entries.ts';
import { rememberRecent } from './recent-entries.ts';
import { texts as words } from './texts.ts';

const HELP = [
  ['↑ ↓', 'choose'],
  ['↵', 'open'],
  ['Esc', 'close'],
] as const;

interface CommandPaletteProps {
  onClose: () => void;
  onShowKeys: () => void;
}

/**
 * Goes anywhere and does most things from the keyboard: a combobox over a list (the pattern of WAI-ARIA), in
 * which the focus stays in the field and the arrows choose. By hand: the whole palette is 4 kB compressed, cmdk 1.1 alone
 * 17.5 kB, and the Autocomplete of Base UI 28 kB.
 */
export function CommandPalette({ onClose, onShowKeys }: CommandPaletteProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const modal = useModal(onClose);
  const listId = useId();
  const entries = usePaletteEntries(text, onShowKeys);
  // The list may have become shorter since the choice was made.
  const at = Math.min(chosen, entries.length - 1);
  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    if (entry.group !== 'search') rememberRecent(entry.id);
    entry.run();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) setChosen((at + step + entries.length) % entries.length);
    else if (event.key === 'Enter') run(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      {...modal}
      aria-label={words.name}
      onClick={(event) => {
        // The backdrop counts as the dialog itself.
        if (event.target === event.currentTarget) onClose();
      }}
      className="mx-auto mt-[min(12vh,6rem)] mb-auto w-[min(36rem,calc(100vw-2rem))] overflow-hidden rounded-lg border border-line bg-raised p-0 text-text shadow-xl backdrop:bg-black/40"
    >
      <div className="flex max-h-[min(70vh,32rem)] flex-col">
        <input
          type="text"
          role="combobox"
          aria-label={words.field}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={entries.length > 0 ? `${listId}-${at}` : undefined}
          placeholder={words.placeholder}
          autoComplete="off"
          spellCheck="false"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={handleKey}
          className="min-h-12 shrink-0 rounded-t-lg border-b border-line bg-transparent px-4 text-lg -outline-offset-2"
        />
        <div id={listId} role="listbox" aria-label={words.results} className="min-h-0 overflow-y-auto p-2">
          {toGroups(entries).map(({ group, first, members }) => (
            <div key={first} role="group" aria-labelledby={`${listId}-group-${first}`}>
              <p id={`${listId}-group-${first}`} className="px-2 pt-2 pb-1 text-xs text-text-muted">
                {words.groups[group]}
              </p>
              {members.map((entry, index) => (
                <Option
                  key={`${group} ${entry.id}`}
                  id={`${listId}-${first + index}`}
                  entry={entry}
                  isChosen={first + index === at}
                  onChoose={() => setChosen(first + index)}
                  onRun={() => run(entry)}
                />
              ))}
            </div>
          ))}
        </div>
        <p
          aria-hidden="true"
          className="flex shrink-0 gap-4 border-t border-line px-4 py-2 text-xs text-text-muted pointer-coarse:hidden"
        >
          {HELP.map(([key, does]) => (
            <span key={key}>
              <kbd className="font-mono">{key}</kbd> {words.help[does]}
            </span>
          ))}
        </p>
      </div>
    </dialog>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  isChosen: boolean;
  onChoose: () => void;
  onRun: () => void;
}

function Option({ id, entry: { label, hint, icon, keys }, isChosen, onChoose, onRun }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isChosen}
      // A move, not the mere presence of the pointer: the list also moves under it.
      onMouseMove={onChoose}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
      className={`flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 ${isChosen ? 'bg-hover' : ''}`}
    >
      <Icon name={icon} className="text-text-muted" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {hint && <span className="max-w-40 truncate text-xs text-text-muted">{hint}</span>}
      {keys && (
        <kbd aria-hidden="true" className="font-mono text-xs text-text-muted">
          {keys}
        </kbd>
      )}
    </div>
  );
}

/** Neighbours of the same group together, with the index of the first of them. */
function toGroups(entries: Entry[]): { group: Entry['group']; first: number; members: Entry[] }[] {
  const groups: { group: Entry['group']; first: number; members: Entry[] }[] = [];
  for (const [index, entry] of entries.entries()) {
    const last = groups.at(-1);
    if (last?.group === entry.group) last.members.push(entry);
    else groups.push({ group: entry.group, first: index, members: [entry] });
  }
  return groups;
}
