import { useQuery } from '@tanstack/react-query';
import {
  describeJoined,
  formatAmount,
  formatPercent,
  nameOfSeries,
} from '../../../../../server/src/incidents/wording.ts';
import type {
  AttachedAlarm,
  AttachedSeries,
  Evidence,
  Incident,
  RiskSeries,
} from '../../../lib/api-types.ts';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { pointsQuery } from '../queries.ts';
import { CurrentFacts } from './current-facts.tsx';
import { describeNow, describeShareNow, isAboutShare } from './current-words.ts';
import { formatWindow } from './evidence-words.ts';
import { Fact } from './fact.tsx';

/** More of them would push the chart out of sight: they are shown when asked for. */
const JOINED_SHOWN = 2;

/** Facts beyond the sentence: the time of the window, what is observed now, and the series that joined. */
export function EvidenceFacts({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const { current } = incident;
  const { alsoSeries } = evidence;
  const rows = alsoSeries.filter(hasNumbers);
  return (
    <>
      <dl className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-text-muted">
        <Fact name="Window">{formatWindow(evidence)}</Fact>
        {current && <CurrentFacts current={current} evidence={evidence} />}
        {rows.length === 0 && alsoSeries.length > 0 && (
          <Fact name="Joined">
            <Joined series={alsoSeries} />
          </Fact>
        )}
      </dl>
      {rows.length > 0 && <JoinedRows rows={rows} incident={incident} />}
    </>
  );
}

/** Frames of the version before have no numbers at all. */
function hasNumbers(series: AttachedSeries): series is AttachedAlarm {
  return typeof series.observed === 'number';
}

/** Each series that takes part besides the one of the headline: its count, the expected count, its peak, and now. */
function JoinedRows({ rows, incident }: { rows: AttachedAlarm[]; incident: Incident }) {
  const { current } = incident;
  const { data: points } = useQuery(pointsQuery(incident));
  const courses = new Map(points?.attached?.map((series) => [keyOf(series), series.observed]));
  const currents = new Map(current?.series.map((series) => [keyOf(series), series]));
  const describeNowOf = (row: AttachedAlarm) => {
    const values = currents.get(keyOf(row));
    return values && (isAboutShare(row.rule) ? describeShareNow(values) : describeNow(values));
  };
  const list = (shown: AttachedAlarm[]) =>
    shown.map((row) => (
      <li key={keyOf(row)} className="flex flex-wrap items-baseline gap-x-3">
        <SeverityGlyph severity={row.alarmSeverity} />
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
          <Sentence text={nameOfSeries(row)} />:{' '}
          <span className="text-text-muted">
            {describeJoined(row)}
            {row.peak > row.observed &&
              row.rule !== 'error_share' &&
              `, peak ${row.rule === 'failed_payments' ? formatPercent(row.peak) : formatAmount(row.peak)}`}
            {describeNowOf(row) && `, now ${describeNowOf(row)}`}
          </span>
        </span>
        <span className="hidden w-24 self-center sm:block">
          <Sparkline counts={courses.get(keyOf(row)) ?? []} className="h-4 text-text-muted" />
        </span>
        <span className="text-text-muted">
          joined <RelativeTime at={row.at} />
        </span>
      </li>
    ));
  return (
    <div className="mt-1 text-sm">
      <ul aria-label="Joined">{list(rows.slice(0, JOINED_SHOWN))}</ul>
      {rows.length > JOINED_SHOWN && (
        <details>
          <summary className="text-text-muted hover:text-text">and {rows.length - JOINED_SHOWN} more</summary>
          <ul aria-label="Joined, further">{list(rows.slice(JOINED_SHOWN))}</ul>
        </details>
      )}
    </div>
  );
}

function keyOf({ kind, type, severity, source, fingerprint }: RiskSeries): string {
  return JSON.stringify([kind, type, severity, source, fingerprint]);
}

/** Of incidents from before numbers were kept. */
function Joined({ series }: { series: RiskSeries[] }) {
  const names = <Sentence text={series.map(nameOfSeries).join(', ')} />;
  if (series.length <= JOINED_SHOWN) return <span className="wrap-anywhere">and {names}</span>;
  return (
    <details>
      <summary className="hover:text-text">and {series.length} more</summary>
      <span className="wrap-anywhere">{names}</span>
    </details>
  );
}
