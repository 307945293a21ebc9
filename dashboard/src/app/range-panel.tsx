import { type ClipboardEvent, type FormEvent, useState } from 'react';
import { formatField, midnightOf, parseTime, splitRange } from '../lib/parse-time.ts';
import { boundsOf, DEFAULT_RANGE, RANGES, type RangeName, useScope } from '../lib/scope.ts';
import { switchZone, TIME_ZONE } from '../lib/time-zone.ts';
import { earlierWindow, type FixedRange, laterWindow, toFixed, widerWindow } from '../lib/windows.ts';
import { Button } from '../ui/controls/button.tsx';
import { CheckField, TextField } from '../ui/forms/field.tsx';
import { rangeTexts as texts } from './range-texts.ts';

/** Ends of the range as texts, or the end that is no valid time. */
interface Draft {
  from: string;
  to: string;
  errors: { from?: string; to?: string };
}

/** Chooses the time range: one that moves with the clock, a day, or any two times. */
export function RangePanel({ onDone }: { onDone: () => void }) {
  const [scope, setScope] = useScope();
  const now = Date.now();
  const { fromMs, toMs } = boundsOf(scope, now);
  const [draft, setDraft] = useState<Draft>({ from: formatField(fromMs), to: formatField(toMs), errors: {} });
  const fixed = (range: FixedRange) => {
    setScope({ ...range, range: undefined });
    onDone();
  };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const [first, last] = [parseTime(draft.from, now), parseTime(draft.to, now)];
    const errors = {
      ...(first === null && { from: texts.noTime }),
      ...(last === null && { to: texts.noTime }),
      ...(first !== null && last !== null && first >= last && { to: texts.endsEarly }),
    };
    if (first === null || last === null || first >= last) return setDraft({ ...draft, errors });
    return fixed(toFixed(first, last));
  };
  // A range that is pasted into one of the fields fills both.
  const takeRange = (event: ClipboardEvent) => {
    const range = splitRange(event.clipboardData.getData('text'));
    if (!range || range.some((text) => parseTime(text, now) === null)) return;
    event.preventDefault();
    setDraft({ from: range[0], to: range[1], errors: {} });
  };
  const field = (name: 'from' | 'to') => (
    <TextField
      label={texts[name]}
      value={draft[name]}
      error={draft.errors[name]}
      autoComplete="off"
      spellCheck="false"
      onPaste={takeRange}
      onChange={({ target }) => setDraft({ ...draft, [name]: target.value, errors: {} })}
    />
  );
  const later = laterWindow(scope, now);
  return (
    <div className="flex flex-col gap-3 sm:flex-row">
      <ul
        aria-label={texts.presets}
        className="grid shrink-0 grid-cols-2 content-start gap-1 sm:w-36 sm:grid-cols-1"
      >
        {Object.entries(RANGES).map(([name, label]) => (
          <li key={name}>
            <Preset
              label={label}
              isChosen={!scope.from && name === (scope.range ?? DEFAULT_RANGE)}
              onChoose={() => {
                setScope({ range: name as RangeName, from: undefined, to: undefined });
                onDone();
              }}
            />
          </li>
        ))}
        {(['today', 'yesterday'] as const).map((day) => (
          <li key={day}>
            <Preset
              label={texts[day]}
              isChosen={false}
              onChoose={() =>
                fixed(
                  day === 'today'
                    ? toFixed(midnightOf(now, 0), midnightOf(now, 1))
                    : toFixed(midnightOf(now, -1), midnightOf(now, 0)),
                )
              }
            />
          </li>
        ))}
      </ul>
      <div className="min-w-0 flex-1 space-y-3">
        <form aria-label={texts.own} onSubmit={apply} className="space-y-2">
          {field('from')}
          {field('to')}
          <p className="text-xs text-text-muted">{texts.hint(TIME_ZONE === 'UTC')}</p>
          <Button type="submit" variant="primary" className="w-full">
            {texts.apply}
          </Button>
        </form>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => fixed(earlierWindow(scope, now))}>{texts.earlier}</Button>
          <Button disabled={!later} onClick={() => later && fixed(later)}>
            {texts.later}
          </Button>
          <Button onClick={() => fixed(widerWindow(scope, now))}>{texts.wider}</Button>
        </div>
        <CheckField label={texts.utc} checked={TIME_ZONE === 'UTC'} onChange={switchZone} />
      </div>
    </div>
  );
}

function Preset(props: { label: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <Button
      variant="ghost"
      aria-pressed={props.isChosen}
      className={`w-full justify-start! ${props.isChosen ? 'bg-accent-soft!' : ''}`}
      onClick={props.onChoose}
    >
      {props.label}
    </Button>
  );
}
