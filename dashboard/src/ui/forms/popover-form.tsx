import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { usePanel } from '../controls/use-panel.ts';

/** Reads a text field by its name; undefined if it is empty. */
export type ReadField = (name: string) => string | undefined;

interface PopoverFormProps {
  button: string;
  title: string;
  submit: string;
  /** @returns true if the form closes; it stays open if a value is invalid */
  onSubmit: (read: ReadField) => boolean;
  /** Called when the form was submitted or left with Escape. */
  onClose?: () => void;
  /** Classes for its size and its position in the nearest positioned element. */
  className: string;
  children: ReactNode;
}

/** A form behind a button: it closes when it is submitted or left, and Escape returns the focus to the button. */
export function PopoverForm({ button, title, submit, children, ...props }: PopoverFormProps) {
  const { onSubmit, onClose, className } = props;
  const { open, setOpen, close, frame } = usePanel(onClose);
  return (
    <div {...frame}>
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        {button}
      </Button>
      {open && (
        <form
          aria-label={title}
          tabIndex={-1}
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            const read: ReadField = (name) => {
              const value = data.get(name);
              return (typeof value === 'string' && value.trim()) || undefined;
            };
            if (onSubmit(read)) close();
          }}
          className={`absolute top-full z-20 space-y-3 rounded-lg border border-line bg-raised p-3 shadow-lg outline-none ${className}`}
        >
          {children}
          <Button type="submit" variant="primary" className="w-full">
            {submit}
          </Button>
        </form>
      )}
    </div>
  );
}
