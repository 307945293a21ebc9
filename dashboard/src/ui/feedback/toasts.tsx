import { type ReactNode, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../controls/button.tsx';
import { Icon } from '../display/icons.tsx';
import { texts } from '../texts.ts';

interface ToastOptions {
  /** Key: a toast replaces the one with the same key. */
  key?: string;
  /** True if it stays until it is dismissed. */
  lasting?: boolean;
}

interface Toast {
  id: number;
  content: ReactNode;
  key: string | undefined;
  lasting: boolean;
}

/*
 * By hand: these are 1.1 kB compressed, sonner 2 is 9.5, the Toast of Base UI 27. Fetched with the first message, neither could
 * say that the service is unreachable, and neither avoids covering controls in use.
 */
const SHOWN_MS = 8_000;
const MAX_SHOWN = 4;

let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message for a few seconds, or until it is dismissed. @returns a function that removes it */
export function showToast(content: ReactNode, { key, lasting = false }: ToastOptions = {}): () => void {
  const id = ++lastId;
  const others = toasts.filter((toast) => key === undefined || toast.key !== key);
  set(keepNewest([...others, { id, content, key, lasting }]));
  const dismissIt = () => dismiss(id);
  if (!lasting) setTimeout(dismissIt, SHOWN_MS);
  return dismissIt;
}

/** Keeps the newest toasts; among older ones those that stay take precedence over those that disappear by themselves. */
function keepNewest(all: Toast[]): Toast[] {
  if (all.length <= MAX_SHOWN) return all;
  const dropped = all.slice(0, -1).find(({ lasting }) => !lasting) ?? all[0];
  return keepNewest(all.filter((toast) => toast !== dropped));
}

function dismiss(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The messages at the bottom, away from the head of the page: newest at the top, so that none moves when another comes. There is one
 * of these on the page.
 * @param children content that floats below them
 */
export function Toasts({ children }: { children?: ReactNode }) {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const box = useRef<HTMLDivElement>(null);
  const [raisedPx, setRaisedPx] = useState(0);
  const isEmpty = shown.length === 0;
  useLayoutEffect(() => {
    // Visible toasts keep their position: a moving button cannot be pressed.
    if (!isEmpty && box.current) setRaisedPx(heightInUse(box.current));
  }, [isEmpty]);
  return (
    <div
      ref={box}
      style={{ translate: `0 ${-raisedPx}px` }}
      className="pointer-events-none fixed right-4 bottom-16 z-40 flex w-[min(24rem,calc(100vw-2rem))] flex-col-reverse gap-2 print:hidden sm:bottom-4"
    >
      {children}
      {shown.map(({ id, content }) => (
        <div
          key={id}
          role="status"
          className="pointer-events-auto flex items-start gap-2 rounded-lg border border-line-strong bg-raised p-3 text-sm shadow-lg"
        >
          <div className="min-w-0 flex-1">{content}</div>
          <Button
            variant="ghost"
            aria-label={texts.dismiss}
            className="-mt-1 -mr-1 px-2"
            onClick={() => dismiss(id)}
          >
            <Icon name="close" />
          </Button>
        </div>
      ))}
    </div>
  );
}

/** Height of a few messages, whatever their texts. */
const COLUMN_HEIGHT_PX = 240;
/** Height of the top bar and the head of a page. */
const HEAD_HEIGHT_PX = 200;
const GAP_PX = 8;
/** Controls that float, are pointed at or have the focus. */
const IN_USE = 'main :is([role=toolbar], :is(a, button, input, textarea):hover), :focus:not(#content)';

/** Returns the height by which messages are raised above controls in their place that float, have the focus or are pointed at. */
function heightInUse(box: HTMLElement): number {
  const { left, bottom } = box.getBoundingClientRect();
  const inUse = [...document.querySelectorAll(IN_USE)]
    .filter((element) => !box.contains(element))
    .map((element) => element.getBoundingClientRect())
    .toSorted((one, other) => other.bottom - one.bottom);
  let lowest = bottom;
  for (const rect of inUse) {
    const isInPlace = rect.right > left && rect.top < lowest && rect.bottom > lowest - COLUMN_HEIGHT_PX;
    if (isInPlace && rect.top > HEAD_HEIGHT_PX + COLUMN_HEIGHT_PX) lowest = rect.top - GAP_PX;
  }
  return bottom - lowest;
}
