import {
  capitalize,
  formatAmount,
  formatEvery,
  nameOfSeries,
} from '../../../../server/src/incidents/wording.ts';
import type { WatchedSeriesList } from '../../lib/api-types.ts';
import { useNow } from '../../lib/clock.ts';
import { formatExactTime } from '../../lib/format.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import {
  formatMissed,
  formatUsualShare,
  listCounts,
  listFailures,
  type Opening,
  type Share,
} from './opening-words.ts';
import { texts } from './texts.ts';
import { formatRate } from './watched-words.ts';

const words = texts.watched;

type Series = WatchedSeriesList['series'][number];

/** A row for each series. The table is wider than a phone and scrolls by itself, also by keyboard. */
export function WatchedTable({ series }: { series: Series[] }) {
  return (
    <section aria-label={words.table} tabIndex={0} className="overflow-x-auto">
      <table aria-label={words.title} className="w-full min-w-[56rem] text-left text-sm">
        <thead className="text-xs text-text-muted">
          <tr>
            {words.columns.map((name) => (
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

function Row({ one }: { one: Series }) {
  const { series, perMinute, dispersion, opening, share, silence, lastEventAt, heartbeat } = one;
  const cell = 'px-2 py-1.5 align-top';
  return (
    <tr className="border-t border-line">
      <th scope="row" className={`${cell} max-w-80 font-normal wrap-anywhere`}>
        <Sentence text={capitalize(nameOfSeries(series))} />
      </th>
      <td className={`${cell} whitespace-nowrap`}>{formatRate(perMinute)}</td>
      <td className={cell}>{formatAmount(dispersion)}</td>
      <td className={cell}>
        {(opening.length > 0 || !share) && <Counts opening={opening} side="rise" />}
        {share && <Failures share={share} />}
      </td>
      <td className={cell}>{(opening.length > 0 || !share) && <Counts opening={opening} side="drop" />}</td>
      <td className={cell}>{lastEventAt === null ? words.nothing : <RelativeTime at={lastEventAt} />}</td>
      <td className={cell}>
        {heartbeat && (
          <Due dueAt={heartbeat.dueAt} note={words.usually(formatEvery(heartbeat.everySeconds / 60))} />
        )}
        {silence && <Due dueAt={silence.dueAt} note={formatMissed(silence)} />}
      </td>
    </tr>
  );
}

/** The counts that open an incident, by window: "61 in 1 min". */
function Counts({ opening, side }: { opening: Opening[]; side: 'rise' | 'drop' }) {
  if (opening.length === 0) return <span className="text-text-muted">{words.learning}</span>;
  const counts = listCounts(opening, side);
  if (counts.length === 0) return <span className="text-text-muted">{words.nothing}</span>;
  return <Lines lines={counts} />;
}

/** The failures that open an incident, by window: "6 of 30 payments in 30 min". */
function Failures({ share }: { share: Share }) {
  return (
    <>
      <Lines lines={listFailures(share)} />
      <span className="block text-text-muted">{formatUsualShare(share)}</span>
    </>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line} className="whitespace-nowrap">
          {line}
        </li>
      ))}
    </ul>
  );
}

/** The time at which a regular sender, or the next event of a sparse series, is overdue. */
function Due({ dueAt, note }: { dueAt: string | null; note: string }) {
  const nowMs = useNow();
  return (
    <>
      {dueAt === null ? (
        <span className="text-text-muted">{words.notDue}</span>
      ) : (
        <time dateTime={dueAt} className="whitespace-nowrap">
          {words.due(formatExactTime(dueAt), Date.parse(dueAt) < nowMs)}
        </time>
      )}
      <span className="block text-text-muted">{note}</span>
    </>
  );
}
