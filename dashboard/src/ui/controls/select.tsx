import { useId, useState } from 'react';
import { Icon } from '../display/icons.tsx';
import { onDemand, usePopupCode } from './on-demand.ts';

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

export interface SelectProps<Value extends string> {
  options: readonly Option<Value>[];
  /** The chosen one; unset: the component keeps it, from `defaultValue` on. */
  value?: Value | undefined;
  /** Default: the first option. */
  defaultValue?: Value | undefined;
  onChange?: ((value: Value) => void) | undefined;
  /** Its name in a form's data. */
  name?: string | undefined;
  id?: string | undefined;
  disabled?: boolean | undefined;
  'aria-invalid'?: true | undefined;
  'aria-describedby'?: string | undefined;
}

/** Values that are their own labels. */
export function toOptions<Value extends string>(values: readonly Value[]): Option<Value>[] {
  return values.map((value) => ({ value, label: value }));
}

/** The list of Base UI is large, so it comes when a select is first pointed at, or the page is idle. */
export const selectPopup = onDemand(() => import('./select-popup.tsx'));

/** Of the trigger, before and after its list is loaded. */
export const SELECT_TRIGGER =
  'flex min-h-8 w-full items-center gap-2 rounded-md border border-line-strong bg-raised px-2 py-1 text-left text-base text-text hover:bg-hover aria-invalid:border-critical disabled:cursor-not-allowed disabled:opacity-60 pointer-coarse:min-h-10';

/**
 * Chooses one of several: arrow keys, typing the first letters, Escape; its label is a `<label>` for `id`, as in `SelectField`:
 * `<SelectField label="Severity" options={[{ value: '', label: 'Any' }]} value={severity} onChange={setSeverity} />`.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, value, defaultValue, onChange, name, id, disabled, ...aria } = props;
  const ownId = useId();
  const triggerId = id ?? ownId;
  const [kept, setKept] = useState(defaultValue ?? options[0]?.value);
  const chosen = value ?? kept;
  const choose = (next: Value) => {
    setKept(next);
    onChange?.(next);
  };
  const { code, opensAtOnce, triggerProps } = usePopupCode(selectPopup, triggerId);
  return (
    <>
      {name !== undefined && <input type="hidden" name={name} value={chosen ?? ''} />}
      {code === null ? (
        <button
          type="button"
          role="combobox"
          aria-expanded="false"
          aria-haspopup="listbox"
          className={SELECT_TRIGGER}
          disabled={disabled}
          {...triggerProps}
          {...aria}
        >
          <SelectedLabel label={options.find((option) => option.value === chosen)?.label} />
        </button>
      ) : code === 'failed' ? (
        // The server cannot be reached: what is there works without it.
        <select
          id={triggerId}
          className={SELECT_TRIGGER}
          disabled={disabled}
          value={chosen}
          onChange={({ target }) => {
            const found = options.find((option) => option.value === target.value);
            if (found) choose(found.value);
          }}
          {...aria}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <code.SelectPopup
          {...{ options, chosen, disabled, aria, triggerId }}
          isOpenAtFirst={opensAtOnce}
          onChoose={choose}
        />
      )}
    </>
  );
}

/** The content of a trigger. */
export function SelectedLabel({ label }: { label: string | undefined }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      <Icon name="chevron" className="text-text-muted" />
    </>
  );
}
