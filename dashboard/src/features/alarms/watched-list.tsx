import { useState } from 'react';
import { capitalize, nameOfSeries } from '../../../../server/src/incidents/wording.ts';
import type { WatchedSeriesList } from '../../lib/api-types.ts';
import { useNow } from '../../lib/clock.ts';
import { Icon } from '../../ui/display/icons.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { SeriesDetails } from './series-details.tsx';
import { texts } from './texts.ts';
import { describeThreshold, formatRate } from './watched-words.ts';

const words = texts.watched;

type Series = WatchedSeriesList['series'][number];

/** A line for each series: its name and what would open an incident now. It leads to the details. */
export function WatchedList({ series }: { series: Series[] }) {
  const nowMs = useNow();
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = series.find((one) => keyOf(one) === chosen);
  return (
    <>
      <ul aria-label={words.title} className="border-t border-line">
        {series.map((one) => (
          <li key={keyOf(one)} className="border-b border-line">
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setChosen(keyOf(one))}
              className="flex min-h-11 w-full items-center gap-2 px-2 py-1.5 text-left hover:bg-hover"
            >
              <span className="flex min-w-0 flex-1 flex-col gap-x-4 md:flex-row md:items-center">
                <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
                  <Sentence text={capitalize(nameOfSeries(one.series))} />
                </span>
                <span className="text-sm text-text-muted md:w-60 lg:w-72">
                  {describeThreshold(one, nowMs)}
                </span>
                <span className="text-sm text-text-muted max-lg:sr-only lg:w-36 lg:text-right">
                  {words.usually(formatRate(one.perMinute))}
                </span>
              </span>
              <Icon name="expand" className="text-text-muted" />
            </button>
          </li>
        ))}
      </ul>
      {shown && <SeriesDetails one={shown} onClose={() => setChosen(null)} />}
    </>
  );
}

function keyOf({ series }: Series): string {
  return JSON.stringify(series);
}
