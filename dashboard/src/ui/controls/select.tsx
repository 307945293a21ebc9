import { useId, useState } from 'react';
import { onDemand, usePopupCode } from './on-demand.ts';
import { type Option, SELECT_TRIGGER, SelectedLabel, type SelectProps } from './select-trigger.tsx';

/** Returns options whose values are their labels. */
export function toOptions<Value extends string>(values: readonly Value[]): Option<Value>[] {
  return values.map((value) => ({ value, label: value }));
}

/** The list of Base UI is large: it is loaded when the user first points at a select, or the page is idle. */
export const selectPopup = onDemand(() => import('./select-popup.tsx'));

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
        // The list could not be loaded: the browser's own select works without it.
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
