import { useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { Button } from '../controls/button.tsx';
import { SelectField } from '../forms/field.tsx';
import { texts } from '../texts.ts';
import { formatSlotTime } from './chart-time.ts';
import { type SlotColumn, SlotTable } from './slot-table.tsx';
import type { Slot } from './stacked-counts.ts';

interface SeverityTableProps {
  label: string;
  slots: Slot[];
  /** Called with the bounds of a selected range; undefined if nothing can be selected. */
  onSelect: ((fromMs: number, toMs: number) => void) | undefined;
}

const COLUMNS: SlotColumn<Slot>[] = [
  ...SEVERITIES.map((severity) => ({
    name: severity,
    valueOf: ({ counts }: Slot) => formatCount(counts[severity]),
  })),
  { name: texts.charts.severities.all, valueOf: ({ total }) => formatCount(total) },
];

/** The numbers of the chart, and a form that selects a range by keyboard. */
export function SeverityTable({ label, slots, onSelect }: SeverityTableProps) {
  return (
    <>
      {onSelect && slots.length > 0 && <ZoomForm slots={slots} onSelect={onSelect} />}
      <SlotTable {...{ label, slots }} columns={COLUMNS} />
    </>
  );
}

/** Selects the range from the start of one slot to the end of another. */
function ZoomForm({ slots, onSelect }: { slots: Slot[]; onSelect: (fromMs: number, toMs: number) => void }) {
  const [first, setFirst] = useState<number | null>(null);
  const [last, setLast] = useState<number | null>(null);
  // The chosen row may have moved out of the range in the meantime.
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
        label={texts.charts.zoom.from}
        value={String(from?.startMs)}
        onChange={(startMs) => setFirst(Number(startMs))}
        options={slots.map(({ startMs }) => ({ value: String(startMs), label: formatSlotTime(startMs) }))}
      />
      <SelectField
        label={texts.charts.zoom.to}
        value={String(to?.endMs)}
        onChange={(endMs) => setLast(Number(endMs))}
        options={ends.map(({ endMs }) => ({ value: String(endMs), label: formatSlotTime(endMs) }))}
      />
      <Button type="submit">{texts.charts.zoom.button}</Button>
    </form>
  );
}
