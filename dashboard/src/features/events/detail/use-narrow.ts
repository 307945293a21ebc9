import { useSyncExternalStore } from 'react';

const NARROW = matchMedia('(width < 40rem)');

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

/** Whether the screen has room for one thing at a time: where the navigation is at the bottom. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}
