import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';

/**
 * Keeps a panel behind a button, both in one frame: it closes when the focus leaves the frame; `close` and Escape return the focus
 * to the button.
 * @param onClose not called if the focus only leaves
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
      // Typed text survives a switch to another window, to copy an id for example.
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
