import { useState } from 'react';
import type { NewQuietHours, QuietHours, Severity } from '../../lib/api-types.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { toOptions } from '../../ui/controls/select.tsx';
import { CheckField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { textOf } from '../../ui/forms/form.tsx';
import { texts } from './texts.ts';

const words = texts.quietHours;

type Weekday = QuietHours['weekdays'][number];

const WEEKDAYS = Object.keys(words.weekdays) as Weekday[];
export const QUIET_HOURS_FIELDS = ['weekdays', 'from', 'to', 'timeZone'].map((name) => `quietHours/${name}`);

interface QuietHoursFieldsProps {
  quietHours: QuietHours | null;
  errorOf: (name: string) => string | undefined;
}

/** The fields for the quiet hours of a target. */
export function QuietHoursFields({ quietHours, errorOf }: QuietHoursFieldsProps) {
  const [hasThem, setHasThem] = useState(quietHours !== null);
  return (
    <fieldset className="space-y-3">
      <legend className="sr-only">{words.legend}</legend>
      <CheckField
        label={words.has}
        name="hasQuietHours"
        hint={words.hint}
        checked={hasThem}
        onChange={({ target }) => setHasThem(target.checked)}
      />
      {hasThem && (
        <>
          <div className="grid grid-cols-2 gap-4">
            {(['from', 'to'] as const).map((name) => (
              <TextField
                key={name}
                label={words[name]}
                name={`quietHours/${name}`}
                autoComplete="off"
                spellCheck="false"
                placeholder="00:00"
                defaultValue={quietHours?.[name] ?? words.defaults[name]}
                error={errorOf(`quietHours/${name}`)}
              />
            ))}
          </div>
          <fieldset>
            <legend className="mb-1 text-sm font-medium">{words.days}</legend>
            <div className="flex flex-wrap gap-x-4 gap-y-1">
              {WEEKDAYS.map((day, index) => (
                <CheckField
                  key={day}
                  label={words.weekdays[day]}
                  name={`quietHours/${day}`}
                  defaultChecked={quietHours?.weekdays.includes(day) ?? true}
                  error={index === 0 ? errorOf('quietHours/weekdays') : undefined}
                />
              ))}
            </div>
          </fieldset>
          <TextField
            label={words.timeZone}
            name="quietHours/timeZone"
            autoComplete="off"
            spellCheck="false"
            defaultValue={quietHours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
            error={errorOf('quietHours/timeZone')}
          />
          <SelectField
            label={words.minSeverity}
            name="quietHours/minSeverity"
            defaultValue={quietHours?.minSeverity ?? 'critical'}
            options={toOptions(SEVERITIES)}
          />
        </>
      )}
    </fieldset>
  );
}

/** Returns the quiet hours of the form; null if they are off. */
export function readQuietHours(form: FormData): NewQuietHours | null {
  if (!form.has('hasQuietHours')) return null;
  const text = (name: string) => textOf(form, `quietHours/${name}`).trim();
  return {
    weekdays: WEEKDAYS.filter((day) => form.has(`quietHours/${day}`)),
    from: toTime(text('from')),
    to: toTime(text('to')),
    timeZone: text('timeZone'),
    minSeverity: text('minSeverity') as Severity,
  };
}

/** Returns messages for missing or invalid values, by the names of the fields. */
export function checkQuietHours(quietHours: NewQuietHours | null): Record<string, string | undefined> {
  if (!quietHours) return {};
  const { weekdays = [], from, to } = quietHours;
  const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
  return {
    'quietHours/weekdays': weekdays.length === 0 ? words.noDays : undefined,
    'quietHours/from': isTime(from) ? undefined : words.noTime,
    'quietHours/to': isTime(to) || to === '24:00' ? undefined : words.noTime,
  };
}

/** Completes a typed time: `7` and `7:30` mean `07:00` and `07:30`. */
function toTime(text: string): string {
  const [, hour = '', minute = '00'] = /^(\d{1,2})(?::(\d{2}))?$/.exec(text) ?? [];
  return hour === '' ? text : `${hour.padStart(2, '0')}:${minute}`;
}
