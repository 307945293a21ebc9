import { type ReactNode, useRef, useState } from 'react';

interface DropDownProps {
  /** Content of the button. */
  label: ReactNode;
  /** Name of the button, if the label is no text. */
  name?: string;
  className?: string;
  /** Class of the panel, for its width. */
  panelClass?: string;
  onClose?: () => void;
  /** @param close closes the panel, as after a choice */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a small panel under it; Escape, and leaving the panel, close it. For a list of actions use `Menu`. */
export function DropDown(props: DropDownProps) {
  const { label, name, className = '', panelClass = 'w-56', onClose, children } = props;
  const [wasOpen, setWasOpen] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute('open');
  return (
    <details
      ref={details}
      className="relative"
      onToggle={(event) => {
        if (event.currentTarget.open) setWasOpen(true);
        else onClose?.();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.preventDefault();
        details.current.querySelector('summary')?.focus();
        close();
      }}
    >
      <summary
        aria-label={name}
        className={`flex min-h-8 list-none items-center rounded-md border border-line-strong px-3 py-1 text-sm hover:bg-hover pointer-coarse:min-h-10 pointer-coarse:min-w-10 pointer-coarse:justify-center ${className}`}
      >
        {label}
      </summary>
      <div
        className={`absolute right-0 z-30 mt-1 flex flex-col gap-1 rounded-lg border border-line bg-raised p-2 shadow-lg ${panelClass}`}
      >
        {wasOpen && children(close)}
      </div>
    </details>
  );
}
