import { useEffect, useEffectEvent } from 'react';

/** A shortcut of one key, or of two typed one after the other (`g i`). */
export interface Shortcut {
  keys: string;
  /** Description in the list of keys. */
  label: string;
  /** True if it works on every page. */
  everywhere?: true;
  /** Action; unset for keys that are only listed, such as Enter on a link. */
  run?: () => void;
}

const SEQUENCE_MS = 1_000;
const registered = new Set<Shortcut[]>();
let first: { key: string; atMs: number } | null = null;

/** Returns all shortcuts that work at present, for the list of keys. */
export function listShortcuts(): Shortcut[] {
  return [...registered].flat();
}

/** Registers shortcuts while the component is mounted. They do not work while a text field has the focus or a dialog is open. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  const current = useEffectEvent(() => shortcuts);
  const signature = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  useEffect(() => {
    const group = current().map(({ keys, label, everywhere, run }) => ({
      keys,
      label,
      ...(everywhere && { everywhere }),
      ...(run && {
        run: () =>
          current()
            .find((shortcut) => shortcut.keys === keys)
            ?.run?.(),
      }),
    }));
    registered.add(group);
    return () => void registered.delete(group);
    // The signature represents the list, whose functions are new at each rendering.
  }, [signature]);
}

/** Starts listening, once for the whole page. */
export function listenForShortcuts(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    const atMs = event.timeStamp;
    const sequence = first && atMs - first.atMs < SEQUENCE_MS ? `${first.key} ${event.key}` : null;
    const found = find(sequence) ?? find(event.key);
    first = found ? null : { key: event.key, atMs };
    if (!found) return;
    event.preventDefault();
    found.run?.();
  });
}

/** Returns the shortcut that was registered last: a page's overrides the frame's. */
function find(keys: string | null): Shortcut | undefined {
  return listShortcuts().findLast((shortcut) => shortcut.keys === keys && shortcut.run);
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog:modal')) return true;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.closest(
      'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="combobox"], [role="listbox"], [role="menu"]',
    ) !== null
  );
}
