import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { Select } from '../controls/select.tsx';
import type { SelectProps } from '../controls/select-trigger.tsx';

const CONTROL =
  'w-full min-h-8 pointer-coarse:min-h-10 rounded-md border border-line-strong bg-raised px-2 py-1 text-base text-text aria-invalid:border-critical';

interface FieldLabels {
  label: string;
  /** Message about a refused value, beside the field and for assistive technology. */
  error?: string | undefined;
  hint?: ReactNode;
  /** True if the label is for assistive technology only: the layout shows the field's purpose. */
  labelHidden?: boolean | undefined;
}

type TextFieldProps = FieldLabels & InputHTMLAttributes<HTMLInputElement>;

/** Preact leaves `autofocus` to the browser, which obeys it only while a document has not had a focus. A `Dialog` chooses by itself. */
const takeFocus = (input: HTMLInputElement | null) => input?.focus();

export function TextField(props: TextFieldProps) {
  const { label, error, hint, labelHidden, className = '', autoFocus, ...rest } = props;
  const id = useId();
  return (
    <FieldWrapper {...{ id, label, error, hint, labelHidden, className }}>
      <input
        ref={autoFocus ? takeFocus : null}
        id={id}
        className={CONTROL}
        {...invalid(id, error, hint)}
        {...rest}
      />
    </FieldWrapper>
  );
}

type SelectFieldProps<Value extends string> = FieldLabels & SelectProps<Value> & { className?: string };

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, error, hint, labelHidden, className = '', ...rest } = props;
  const id = useId();
  return (
    <FieldWrapper {...{ id, label, error, hint, labelHidden, className }}>
      <Select id={id} {...invalid(id, error, hint)} {...rest} />
    </FieldWrapper>
  );
}

type CheckFieldProps = Omit<FieldLabels, 'labelHidden'> & Omit<InputHTMLAttributes<HTMLInputElement>, 'type'>;

/** A checkbox with its label. */
export function CheckField({ label, error, hint, className = '', ...rest }: CheckFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label className="flex min-h-6 items-start gap-2 text-sm font-medium">
        <input
          type="checkbox"
          className="mt-0.5 size-4 flex-none accent-accent"
          {...invalid(id, error, hint)}
          {...rest}
        />
        <span>{label}</span>
      </label>
      <Notes {...{ id, error, hint }} />
    </div>
  );
}

function FieldWrapper({
  id,
  label,
  error,
  hint,
  labelHidden,
  className,
  children,
}: FieldLabels & { id: string; className: string; children: ReactNode }) {
  return (
    <div className={className}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'mb-1 block text-sm font-medium'}>
        {label}
      </label>
      {children}
      <Notes {...{ id, error, hint }} />
    </div>
  );
}

function Notes({ id, error, hint }: Pick<FieldLabels, 'error' | 'hint'> & { id: string }) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-xs text-text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-critical">
          {error}
        </p>
      )}
    </>
  );
}

function invalid(id: string, error: string | undefined, hint: ReactNode) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return {
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': described === '' ? undefined : described,
  };
}
