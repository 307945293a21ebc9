import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import type { FormErrors } from '../../lib/form-errors.ts';
import { Button } from '../controls/button.tsx';
import { Alert } from '../feedback/states.tsx';
import { DialogActions } from '../layout/dialog.tsx';
import { texts } from '../texts.ts';

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

interface FormActionsProps {
  /** Label of the button that submits the form. */
  submit: string;
  busy?: boolean;
  variant?: 'primary' | 'danger';
  submitRef?: Ref<HTMLButtonElement>;
  onCancel: () => void;
}

/** The buttons at the end of a form in a dialog. */
export function FormActions({
  submit,
  busy = false,
  variant = 'primary',
  submitRef,
  onCancel,
}: FormActionsProps) {
  return (
    <DialogActions>
      <Button onClick={onCancel}>{texts.confirm.cancel}</Button>
      <Button {...(submitRef && { ref: submitRef })} type="submit" variant={variant} busy={busy}>
        {submit}
      </Button>
    </DialogActions>
  );
}

/** Returns a field's text as typed. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
