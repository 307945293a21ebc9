import { type ReactNode, useEffect, useRef } from 'react';
import type { Refusal } from '../../lib/refusal.ts';
import { Alert } from '../feedback/states.tsx';

interface FormProps {
  /** A new one whenever something is refused: the first field that is wrong then gets the focus. */
  refusal: Refusal | null;
  onSubmit: (values: FormData) => void;
  children: ReactNode;
  className?: string;
}

/** A form that says itself what is wrong, in words beside the fields, and not the browser in bubbles. */
export function Form({ refusal, onSubmit, children, className = 'space-y-4' }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  return (
    <form
      ref={form}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {refusal?.message && <Alert>{refusal.message}</Alert>}
      {children}
    </form>
  );
}

/** The text of a field, as it was typed. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
