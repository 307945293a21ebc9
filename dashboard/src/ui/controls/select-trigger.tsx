import { Icon } from '../display/icons.tsx';

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

export interface SelectProps<Value extends string> {
  options: readonly Option<Value>[];
  /** Chosen value; if unset, the component keeps it, beginning with `defaultValue`. */
  value?: Value | undefined;
  /** Default: the first option. */
  defaultValue?: Value | undefined;
  onChange?: ((value: Value) => void) | undefined;
  /** Name in a form's data. */
  name?: string | undefined;
  id?: string | undefined;
  disabled?: boolean | undefined;
  'aria-invalid'?: true | undefined;
  'aria-describedby'?: string | undefined;
}

/** Classes of the trigger, before and after its list is loaded. */
export const SELECT_TRIGGER =
  'flex min-h-8 w-full items-center gap-2 rounded-md border border-line-strong bg-raised px-2 py-1 text-left text-base text-text hover:bg-hover aria-invalid:border-critical disabled:cursor-not-allowed disabled:opacity-60 pointer-coarse:min-h-10';

/** The content of a trigger. */
export function SelectedLabel({ label }: { label: string | undefined }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <Icon name="chevron" className="text-text-muted" />
    </>
  );
}
