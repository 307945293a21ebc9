import type { ReactNode } from 'react';
import { CopyButton } from '../controls/copy-button.tsx';
import { TextField } from './field.tsx';

interface SecretFieldProps {
  label: string;
  value: string;
  /** Label of the button that copies the value. */
  copy: string;
  hint?: string | undefined;
  className?: string;
}

/** A secret or a link that is shown only once, with a button that copies it. */
export function SecretField({ label, value, copy, hint, className = '' }: SecretFieldProps) {
  return (
    <div className={`flex flex-wrap items-end gap-2 ${className}`}>
      <TextField
        label={label}
        hint={hint}
        className="min-w-0 flex-1 basis-56 [&_input]:font-mono"
        value={value}
        readOnly
        autoComplete="off"
        spellCheck="false"
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={value} label={copy} />
    </div>
  );
}

/** A frame around a new secret, above which it says that it is shown only once. */
export function SecretFrame({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="rounded-md border border-line-strong bg-warn-soft p-4">
      <p className="mb-3">
        <strong className="font-semibold">{title}</strong> {text}
      </p>
      {children}
    </div>
  );
}
