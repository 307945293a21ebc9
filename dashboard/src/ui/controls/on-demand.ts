import { useEffect, useState, useSyncExternalStore } from 'react';

/** Code that is loaded when it is first needed. */
export interface OnDemand<Code> {
  /** Begins to load the code; a failure shows in the state. */
  load: () => void;
  /** Returns the code; null until it is loaded. */
  read: () => Code | 'failed' | null;
  subscribe: (listener: () => void) => () => void;
}

/** @param load the import of the code; repeated at the next need after a failure */
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
 * Loads the popup of a control on demand. Its trigger is there at once: hovering and focusing it begin to load the popup, and
 * pressing it opens the popup as soon as it is there, with the focus where it was.
 * @param triggerId id of the trigger, before and after loading
 */
export function usePopupCode<Code extends object>(popup: OnDemand<Code>, triggerId: string) {
  const code = useSyncExternalStore(popup.subscribe, popup.read);
  const [isWanted, setIsWanted] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isLoaded = code !== null;
  useEffect(() => {
    if (isLoaded && hasFocus && !isWanted) document.getElementById(triggerId)?.focus();
    // Once: the loaded trigger replaces the first one.
  }, [isLoaded]);
  return {
    code,
    /** True if the popup was requested while it was loading. */
    opensAtOnce: isWanted,
    /** Properties of the first trigger. */
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
      // If the popup arrives between press and release, there is no click: the loaded trigger has replaced this one.
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
