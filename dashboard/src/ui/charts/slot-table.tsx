import { texts } from '../texts.ts';
import { formatSlot, formatSlotTime, type TimeSlot } from './chart-time.ts';

export interface SlotColumn<S> {
  name: string;
  valueOf: (slot: S) => string;
}

interface SlotTableProps<S> {
  label: string;
  slots: S[];
  columns: SlotColumn<S>[];
}

/** The numbers of a chart, a row for each of its bars. */
export function SlotTable<S extends TimeSlot>({ label, slots, columns }: SlotTableProps<S>) {
  return (
    // A region that scrolls must be reachable by keyboard.
    <section
      aria-label={texts.charts.tableOf(label)}
      tabIndex={0}
      className="relative max-h-64 overflow-auto rounded-md border border-line"
    >
      <table className="w-full text-right text-xs sm:text-sm">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-muted text-xs text-text-muted">
          <tr>
            <th scope="col" className="px-1.5 py-1.5 text-left font-normal sm:px-3">
              {texts.charts.time}
            </th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className="px-1.5 py-1.5 font-normal sm:px-3">
                {name}
              </th>
            ))}
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
              {columns.map(({ name, valueOf }) => {
                const value = valueOf(slot);
                return (
                  <td key={name} className={`px-1.5 py-1 sm:px-3 ${value === '0' ? 'text-text-muted' : ''}`}>
                    {value}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
