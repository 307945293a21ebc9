import { useSyncExternalStore } from 'react';

const NARROW = matchMedia('(width < 40rem)');

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

/** Returns true on screens with room for one thing at a time, which have the navigation at the bottom. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}
