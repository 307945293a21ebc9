import { useQuery } from '@tanstack/react-query';
import {
  describeJoined,
  formatAmount,
  formatPercent,
  nameOfAttached,
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
import { texts } from '../texts.ts';
import { describeNow, describeShareNow, isAboutShare } from './current-words.ts';

/** More of them would push the chart out of sight: they are shown when asked for. */
const JOINED_SHOWN = 2;

/** The series that joined: a row for each, or their names where a version before kept no numbers. */
export function JoinedSeries({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const { alsoSeries } = evidence;
  const rows = alsoSeries.filter(hasNumbers);
  if (rows.length > 0) return <JoinedRows rows={rows} incident={incident} />;
  if (alsoSeries.length === 0) return null;
  return (
    <div className="mt-1 text-sm text-text-muted">
      <Joined series={alsoSeries} />
    </div>
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
          <Sentence text={nameOfAttached(row)} />:{' '}
          <span className="text-text-muted">
            {describeJoined(row)}
            {row.peak > row.observed &&
              row.rule !== 'error_share' &&
              texts.joined.peak(
                row.rule === 'failed_payments' ? formatPercent(row.peak) : formatAmount(row.peak),
              )}
            {describeNowOf(row) && texts.joined.now(describeNowOf(row) ?? '')}
          </span>
        </span>
        <span className="hidden w-24 self-center sm:block">
          <Sparkline counts={courses.get(keyOf(row)) ?? []} className="h-4 text-text-muted" />
        </span>
        <span className="text-text-muted">
          {texts.joined.joined} <RelativeTime at={row.at} />
        </span>
      </li>
    ));
  return (
    <div className="mt-1 text-sm">
      <ul aria-label={texts.joined.list}>{list(rows.slice(0, JOINED_SHOWN))}</ul>
      {rows.length > JOINED_SHOWN && (
        <details>
          <summary className="text-text-muted hover:text-text">
            {texts.joined.more(rows.length - JOINED_SHOWN)}
          </summary>
          <ul aria-label={texts.joined.further}>{list(rows.slice(JOINED_SHOWN))}</ul>
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
  if (series.length <= JOINED_SHOWN)
    return (
      <span className="wrap-anywhere">
        {texts.joined.and} {names}
      </span>
    );
  return (
    <details>
      <summary className="hover:text-text">{texts.joined.more(series.length)}</summary>
      <span className="wrap-anywhere">{names}</span>
    </details>
  );
}
