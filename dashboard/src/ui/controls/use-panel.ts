import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';

/**
 * A panel behind a button, both in one frame: it closes where the focus leaves the frame, and `close` and Escape lead back
 * to the button.
 * @param onClose not called where the focus only leaves
 */
export function usePanel(onClose?: () => void) {
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    onClose?.();
    ref.current?.querySelector('button')?.focus();
  };
  const frame = {
    ref,
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
      // Typed text survives a switch to another window, as to copy an id or a time.
      if (document.hasFocus() && !currentTarget.contains(relatedTarget)) setOpen(false);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !open) return;
      event.preventDefault();
      close();
    },
  };
  return { open, setOpen, close, frame };
}
