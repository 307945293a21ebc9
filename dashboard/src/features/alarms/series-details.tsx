import type { ReactNode } from 'react';
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
import { Drawer } from '../../ui/layout/drawer.tsx';
import { formatMissed, formatUsualShare, listCounts, listFailures } from './opening-words.ts';
import { texts } from './texts.ts';
import { formatRate } from './watched-words.ts';

const words = texts.watched;

interface SeriesDetailsProps {
  one: WatchedSeriesList['series'][number];
  onClose: () => void;
}

/** All that is known of a watched series: its rate, the counts that open an incident by window, and when it is overdue. */
export function SeriesDetails({ one, onClose }: SeriesDetailsProps) {
  const { series, perMinute, dispersion, opening, share, silence, lastEventAt, heartbeat } = one;
  const [rises, drops] = [listCounts(opening, 'rise'), listCounts(opening, 'drop')];
  return (
    <Drawer title={<Sentence text={capitalize(nameOfSeries(series))} />} onClose={onClose}>
      <dl className="space-y-3 text-sm">
        <Detail name={words.details.rate}>{formatRate(perMinute)}</Detail>
        {share && <Detail name={words.details.share}>{formatUsualShare(share)}</Detail>}
        {opening.length === 0 && !share && <Detail name={words.details.rises}>{words.learning}</Detail>}
        {rises.length > 0 && <Lines name={words.details.rises} lines={rises} />}
        {share && share.opening.length > 0 && (
          <Lines name={words.details.failures} lines={listFailures(share)} />
        )}
        {drops.length > 0 && <Lines name={words.details.drops} lines={drops} />}
        {heartbeat && (
          <Due dueAt={heartbeat.dueAt} note={words.usually(formatEvery(heartbeat.everySeconds / 60))} />
        )}
        {silence && <Due dueAt={silence.dueAt} note={formatMissed(silence)} />}
        {lastEventAt !== null && (
          <Detail name={words.details.lastEvent}>
            <RelativeTime at={lastEventAt} />
          </Detail>
        )}
        <Detail name={words.details.dispersion}>{formatAmount(dispersion)}</Detail>
      </dl>
    </Drawer>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Lines({ name, lines }: { name: string; lines: string[] }) {
  return (
    <Detail name={name}>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Detail>
  );
}

/** The time at which a regular sender, or the next event of a sparse series, is overdue. */
function Due({ dueAt, note }: { dueAt: string | null; note: string }) {
  const nowMs = useNow();
  return (
    <Detail name={words.details.overdue}>
      {dueAt === null ? (
        words.notDue
      ) : (
        <time dateTime={dueAt}>{words.due(formatExactTime(dueAt), Date.parse(dueAt) < nowMs)}</time>
      )}
      <span className="block text-text-muted">{note}</span>
    </Detail>
  );
}
