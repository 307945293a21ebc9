import { useEffect, useState, useSyncExternalStore } from 'react';

/** Code that is loaded when it is first needed, and what stands in its place until then. */
export interface OnDemand<Code> {
  /** Begins to load it; a failure shows in the state. */
  load: () => void;
  /** Null: not loaded yet. */
  read: () => Code | 'failed' | null;
  subscribe: (listener: () => void) => () => void;
}

/** @param load the import of the code; after a failure the next need tries again */
export function onDemand<Code extends object>(load: () => Promise<Code>): OnDemand<Code> {
  let code: Code | 'failed' | null = null;
  let isLoading = false;
  const listeners = new Set<() => void>();
  const settle = (outcome: Code | 'failed') => {
    isLoading = false;
    code = outcome;
    for (const listener of listeners) listener();
  };
  return {
    load: () => {
      if (isLoading || (code !== null && code !== 'failed')) return;
      isLoading = true;
      load().then(settle, () => settle('failed'));
    },
    read: () => code,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Keys that open a select or a menu. */
const OPENING_KEYS = new Set(['ArrowDown', 'ArrowUp', 'Enter', ' ']);

/**
 * A control whose popup is loaded on demand. Its trigger is there at once: hovering and focusing it begin to load the popup, and
 * pressing it opens the popup as soon as it is there, with the focus where it was.
 * @param triggerId of the trigger before and after
 */
export function usePopupCode<Code extends object>(popup: OnDemand<Code>, triggerId: string) {
  const code = useSyncExternalStore(popup.subscribe, popup.read);
  const [isWanted, setIsWanted] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isLoaded = code !== null;
  useEffect(() => {
    if (isLoaded && hasFocus && !isWanted) document.getElementById(triggerId)?.focus();
    // Once: the loaded trigger takes the place of the first one.
  }, [isLoaded]);
  return {
    code,
    /** The popup was asked for while it was loaded. */
    opensAtOnce: isWanted,
    /** Of the first trigger. */
    triggerProps: {
      id: triggerId,
      onPointerEnter: popup.load,
      onFocus: () => {
        setHasFocus(true);
        popup.load();
      },
      onBlur: () => {
        setHasFocus(false);
        setIsWanted(false);
      },
      // Where the popup comes between press and release, there is no click: the loaded trigger has taken the place of this one.
      onMouseDown: () => {
        setIsWanted(true);
        popup.load();
      },
      onClick: () => {
        setIsWanted(true);
        popup.load();
      },
      onKeyDown: (event: { key: string; preventDefault: () => void }) => {
        if (!OPENING_KEYS.has(event.key)) return;
        event.preventDefault();
        setIsWanted(true);
        popup.load();
      },
    },
  };
}
