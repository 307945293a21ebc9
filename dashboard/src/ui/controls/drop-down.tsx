import { type ReactNode, useRef } from 'react';

interface DropDownProps {
  /** What stands in the button. */
  label: ReactNode;
  className?: string;
  /** @param close closes the panel, as after a choice */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a small panel under it; Escape, and leaving it, close the panel. */
export function DropDown({ label, className = '', children }: DropDownProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute('open');
  return (
    <details
      ref={details}
      className="relative"
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
        className={`list-none truncate rounded-md border border-line-strong px-3 py-1 text-sm leading-6 hover:bg-hover ${className}`}
      >
        {label}
      </summary>
      <div className="absolute right-0 z-30 mt-1 flex w-56 flex-col gap-1 rounded-lg border border-line bg-raised p-2 shadow-lg">
        {children(close)}
      </div>
    </details>
  );
}
