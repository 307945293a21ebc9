import { useState } from 'react';
import { formatCount } from '../lib/format.ts';
import { SEVERITIES } from '../lib/severity.ts';
import { Button } from './button.tsx';
import { formatSlot, formatSlotTime } from './chart-time.ts';
import { SelectField } from './field.tsx';
import type { Slot } from './stacked-counts.ts';

interface SeverityTableProps {
  label: string;
  slots: Slot[];
  /** Unset: nothing can be selected. */
  onSelect: ((fromMs: number, toMs: number) => void) | undefined;
}

/** The numbers of the chart, and its drag by keyboard. */
export function SeverityTable({ label, slots, onSelect }: SeverityTableProps) {
  return (
    <>
      {onSelect && slots.length > 0 && <ZoomForm slots={slots} onSelect={onSelect} />}
      {/* A region that scrolls has to be reached by keyboard. */}
      <section
        aria-label={`${label}, table`}
        tabIndex={0}
        className="relative max-h-64 overflow-auto rounded-md border border-line"
      >
        <table className="w-full text-right text-xs sm:text-sm">
          <caption className="sr-only">{label}</caption>
          <thead className="sticky top-0 bg-muted text-xs text-text-muted">
            <tr>
              <th scope="col" className="px-1.5 py-1.5 text-left font-normal sm:px-3">
                Time
              </th>
              {SEVERITIES.map((severity) => (
                <th key={severity} scope="col" className="px-1.5 py-1.5 font-normal sm:px-3">
                  {severity}
                </th>
              ))}
              <th scope="col" className="px-1.5 py-1.5 font-normal sm:px-3">
                all
              </th>
            </tr>
          </thead>
          <tbody>
            {slots.map((slot) => (
              <tr key={slot.startMs} className="border-t border-line">
                <th scope="row" className="px-1.5 py-1 text-left font-normal sm:px-3">
                  <span className="max-sm:sr-only">{formatSlot(slot)}</span>
                  <span aria-hidden="true" className="whitespace-nowrap sm:hidden">
                    {formatSlotTime(slot.startMs)}
                  </span>
                </th>
                {[...SEVERITIES.map((severity) => slot.counts[severity]), slot.total].map((count, column) => (
                  <td key={column} className={`px-1.5 py-1 sm:px-3 ${count === 0 ? 'text-text-muted' : ''}`}>
                    {formatCount(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** From the start of one slot to the end of another. */
function ZoomForm({ slots, onSelect }: { slots: Slot[]; onSelect: (fromMs: number, toMs: number) => void }) {
  const [first, setFirst] = useState<number | null>(null);
  const [last, setLast] = useState<number | null>(null);
  // What was chosen may have moved out of the range in the meantime.
  const from = slots.find(({ startMs }) => startMs === first) ?? slots[0];
  const ends = slots.filter(({ endMs }) => from !== undefined && endMs > from.startMs);
  const to = ends.find(({ endMs }) => endMs === last) ?? ends.at(-1);
  return (
    <form
      className="mb-2 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (from && to) onSelect(from.startMs, to.endMs);
      }}
    >
      <SelectField
        label="Zoom from"
        value={from?.startMs ?? ''}
        onChange={(event) => setFirst(Number(event.target.value))}
      >
        {slots.map(({ startMs }) => (
          <option key={startMs} value={startMs}>
            {formatSlotTime(startMs)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Zoom to"
        value={to?.endMs ?? ''}
        onChange={(event) => setLast(Number(event.target.value))}
      >
        {ends.map(({ endMs }) => (
          <option key={endMs} value={endMs}>
            {formatSlotTime(endMs)}
          </option>
        ))}
      </SelectField>
      <Button type="submit">Zoom</Button>
    </form>
  );
}
