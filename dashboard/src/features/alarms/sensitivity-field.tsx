import { useId } from 'react';
import { nameSensitivity, SENSITIVITIES } from './sensitivities.ts';
import { texts } from './texts.ts';

const words = texts.settings;

interface SensitivityFieldProps {
  budget: number;
  /** Budget of the saved settings. Where it is none of the three choices, it is a fourth one. */
  saved: number;
  onChange: (budget: number) => void;
}

/** The choice of the false alarms to be expected, as three sensitivities; the API takes any number. */
export function SensitivityField({ budget, saved, onChange }: SensitivityFieldProps) {
  const id = useId();
  const known: number[] = Object.values(SENSITIVITIES);
  const budgets = known.includes(saved) ? known : [...known, saved];
  return (
    <fieldset>
      <legend className="sr-only">{words.title}</legend>
      <div className="flex max-w-4xl flex-col gap-2 sm:flex-row">
        {budgets.map((one) => (
          <label
            key={one}
            className="flex flex-1 cursor-pointer items-start gap-2 rounded-md border border-line-strong px-3 py-2 hover:bg-hover has-checked:border-accent has-checked:bg-muted"
          >
            <input
              type="radio"
              name={id}
              className="mt-0.5 size-4 flex-none accent-accent"
              checked={one === budget}
              onChange={() => onChange(one)}
              aria-describedby={`${id}-${one}`}
              aria-label={nameSensitivity(one)}
            />
            <span className="text-sm">
              <span className="font-medium">{nameSensitivity(one)}</span>
              <span id={`${id}-${one}`} className="block text-text-muted">
                {words.falseAlarms(one)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
