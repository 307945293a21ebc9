import { type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '../controls/button.tsx';

interface Toast {
  id: number;
  content: ReactNode;
}

const SHOWN_MS = 8_000;
const MAX_SHOWN = 4;

let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message for a few seconds. */
export function showToast(content: ReactNode): void {
  const id = ++lastId;
  set([...toasts, { id, content }].slice(-MAX_SHOWN));
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The messages, newest at the bottom; there is one of these on the page.
 * @param children what floats below them for as long as it is true
 */
export function Toasts({ children }: { children?: ReactNode }) {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="pointer-events-none fixed right-4 bottom-16 z-40 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 sm:bottom-4">
      {shown.map(({ id, content }) => (
        <div
          key={id}
          role="status"
          className="pointer-events-auto flex items-start gap-2 rounded-lg border border-line bg-raised p-3 text-sm shadow-lg"
        >
          <div className="min-w-0 flex-1">{content}</div>
          <Button
            variant="ghost"
            aria-label="Dismiss"
            className="-mt-1 -mr-1 px-2"
            onClick={() => dismiss(id)}
          >
            ×
          </Button>
        </div>
      ))}
      {children}
    </div>
  );
}
