import {
  capitalize,
  formatAmount,
  formatEvery,
  formatSpan,
  nameOfSeries,
} from '../../../../server/src/incidents/wording.ts';
import type { WatchedSeriesList } from '../../lib/api-types.ts';
import { useNow } from '../../lib/clock.ts';
import { formatExactTime } from '../../lib/format.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { formatRate } from './watched-words.ts';

type Series = WatchedSeriesList['series'][number];
type Opening = Series['opening'][number];

/** A row for each series. Wider than a phone: it scrolls by itself, also by keyboard. */
export function WatchedTable({ series }: { series: Series[] }) {
  return (
    <section aria-label="Watched series, table" tabIndex={0} className="overflow-x-auto">
      <table aria-label="Watched series" className="w-full min-w-[56rem] text-left text-sm">
        <thead className="text-xs text-text-muted">
          <tr>
            {[
              'Series',
              'Usual rate',
              'Dispersion',
              'Opens from',
              'Opens down to',
              'Last event',
              'Overdue',
            ].map((name) => (
              <th key={name} scope="col" className="px-2 py-1.5 font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <Row key={JSON.stringify(one.series)} one={one} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ one: { series, perMinute, dispersion, opening, lastEventAt, heartbeat } }: { one: Series }) {
  const cell = 'px-2 py-1.5 align-top';
  return (
    <tr className="border-t border-line">
      <th scope="row" className={`${cell} max-w-80 font-normal wrap-anywhere`}>
        <Sentence text={capitalize(nameOfSeries(series))} />
      </th>
      <td className={`${cell} whitespace-nowrap`}>{formatRate(perMinute)}</td>
      <td className={cell}>{formatAmount(dispersion)}</td>
      <td className={cell}>
        <Counts opening={opening} countOf={({ rise }) => rise} />
      </td>
      <td className={cell}>
        <Counts opening={opening} countOf={({ drop }) => drop} />
      </td>
      <td className={cell}>{lastEventAt === null ? '–' : <RelativeTime at={lastEventAt} />}</td>
      <td className={cell}>{heartbeat && <Due {...heartbeat} />}</td>
    </tr>
  );
}

/** The counts of each window: "61 in 1 min". */
function Counts({ opening, countOf }: { opening: Opening[]; countOf: (opening: Opening) => number | null }) {
  if (opening.length === 0) return <span className="text-text-muted">still learning</span>;
  const counts = opening.flatMap((one) => {
    const count = countOf(one);
    return count === null ? [] : [`${count.toLocaleString('en')} in ${formatSpan(one.windowSeconds / 60)}`];
  });
  if (counts.length === 0) return <span className="text-text-muted">–</span>;
  return (
    <ul>
      {counts.map((count) => (
        <li key={count} className="whitespace-nowrap">
          {count}
        </li>
      ))}
    </ul>
  );
}

/** When a regular sender is overdue. */
function Due({ everySeconds, dueAt }: { everySeconds: number; dueAt: string }) {
  const isOverdue = Date.parse(dueAt) < useNow();
  return (
    <>
      <time dateTime={dueAt} className="whitespace-nowrap">
        {isOverdue ? 'since' : 'at'} {formatExactTime(dueAt)}
      </time>
      <span className="block text-text-muted">usually {formatEvery(everySeconds / 60)}</span>
    </>
  );
}
