import { useSyncExternalStore } from 'react';
import { useNow } from '../../lib/clock.ts';
import { formatAgo, formatClock, formatDay, formatExactTime } from '../../lib/format.ts';
import { texts } from '../texts.ts';

const STORAGE_KEY = 'tocsin.list-times';
const listeners = new Set<() => void>();
/** Choice of the user; the storage is read once, since each row asks at each rendering. */
let choice: string | undefined;
const isRelative = () => {
  choice ??= localStorage.getItem(STORAGE_KEY) ?? 'absolute';
  return choice === 'relative';
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The header of a column of times; a click switches all lists between times and ages. */
export function ListTimeHead() {
  const relative = useSyncExternalStore(subscribe, isRelative);
  const toggle = () => {
    choice = relative ? 'absolute' : 'relative';
    localStorage.setItem(STORAGE_KEY, choice);
    for (const listener of listeners) listener();
  };
  return (
    <button
      type="button"
      onClick={toggle}
      title={relative ? texts.display.time.showAbsolute : texts.display.time.showRelative}
      className="min-h-6 min-w-6 rounded pointer-coarse:min-h-10 underline decoration-line-strong decoration-dotted underline-offset-2 hover:text-text hover:decoration-solid"
    >
      {texts.display.time.column}
    </button>
  );
}

/** A time in a list to the millisecond, or its age; the other on hover. */
export function ListTime({ at }: { at: string }) {
  const relative = useSyncExternalStore(subscribe, isRelative);
  const now = useNow();
  const ago = formatAgo(Date.parse(at), now);
  const exact = formatExactTime(at);
  if (relative)
    return (
      <time dateTime={at} title={exact} className="whitespace-nowrap">
        {ago}
      </time>
    );
  const day = formatDay(at);
  return (
    <time
      dateTime={at}
      title={`${ago}, ${exact}`}
      data-exact={exact}
      className="flex flex-wrap justify-end gap-x-1.5 leading-tight whitespace-nowrap"
    >
      {day !== formatDay(now) && <span>{day}</span>}
      <span>{formatClock(at)}</span>
    </time>
  );
}
