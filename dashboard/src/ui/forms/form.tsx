import { type ReactNode, useEffect, useRef } from 'react';
import type { FormErrors } from '../../lib/form-errors.ts';
import { Alert } from '../feedback/states.tsx';

interface FormProps {
  /** Errors: a new object for each failed attempt, which moves the focus to the first invalid field. */
  errors: FormErrors | null;
  onSubmit: (values: FormData) => void;
  children: ReactNode;
  className?: string;
}

/** A form that shows errors beside its fields instead of the browser's bubbles. */
export function Form({ errors, onSubmit, children, className = 'space-y-4' }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
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
      {errors?.message && <Alert>{errors.message}</Alert>}
      {children}
    </form>
  );
}

/** Returns a field's text as typed. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
