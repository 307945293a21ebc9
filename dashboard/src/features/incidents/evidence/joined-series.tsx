import { useQuery } from '@tanstack/react-query';
import {
  describeJoined,
  formatAmount,
  formatPercent,
  nameOfAttached,
} from '../../../../../server/src/incidents/wording.ts';
import type { Evidence, Incident, RiskSeries } from '../../../lib/api-types.ts';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { RelativeTime } from '../../../ui/display/relative-time.tsx';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { pointsQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { describeNow, describeShareNow, isAboutShare } from './current-words.ts';

/** Maximum series before the others are folded: more would push the chart out of sight. */
const JOINED_SHOWN = 2;

type JoinedEntry = Evidence['alsoSeries'][number];

/** The series that joined: count, expected count, peak, and present rate. Totals that include the lead's events are folded. */
export function JoinedSeries({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const { current } = incident;
  const { alsoSeries } = evidence;
  const { data: points } = useQuery(pointsQuery(incident));
  const courses = new Map(points?.attached?.map((series) => [keyOf(series), series.observed]));
  const currents = new Map(current?.series.map((series) => [keyOf(series), series]));
  const describe = (row: JoinedEntry) => {
    const values = currents.get(keyOf(row));
    const now = values && (isAboutShare(row.rule) ? describeShareNow(values) : describeNow(values));
    const peak =
      row.peak > row.observed &&
      !row.rule.endsWith('_share') &&
      texts.joined.peak((row.rule === 'failed_payments' ? formatPercent : formatAmount)(row.peak));
    return [describeJoined(row), peak, now && texts.joined.now(now)].filter(Boolean).join('');
  };
  const list = (shown: JoinedEntry[]) =>
    shown.map((row) => (
      <li key={keyOf(row)} className="flex flex-wrap items-baseline gap-x-3">
        <SeverityGlyph severity={row.alarmSeverity} />
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
          <Sentence text={nameOfAttached(row)} />
          <span className="text-text-muted">: {describe(row)}</span>
        </span>
        <span className="hidden w-24 self-center sm:block">
          <Sparkline counts={courses.get(keyOf(row)) ?? []} className="h-4 text-text-muted" />
        </span>
        <span className="text-text-muted">
          {texts.joined.joined} <RelativeTime at={row.at} />
        </span>
      </li>
    ));
  if (alsoSeries.length === 0) return null;
  const own = alsoSeries.filter(({ isSuperset }) => !isSuperset);
  const folded = [
    { name: texts.joined.further, summary: texts.groups.more, of: own.slice(JOINED_SHOWN) },
    {
      name: texts.joined.totals,
      summary: () => texts.joined.totals,
      of: alsoSeries.filter((row) => row.isSuperset),
    },
  ];
  return (
    <div className="mb-6 text-sm">
      {own.length > 0 && (
        <>
          <h2 className="mb-1">{texts.joined.list}</h2>
          <ul aria-label={texts.joined.list}>{list(own.slice(0, JOINED_SHOWN))}</ul>
        </>
      )}
      {folded.map(
        ({ name, summary, of }) =>
          of.length > 0 && (
            <details key={name}>
              <summary className="leading-6 text-text-muted hover:text-text">{summary(of.length)}</summary>
              <ul aria-label={name}>{list(of)}</ul>
            </details>
          ),
      )}
    </div>
  );
}

function keyOf({ kind, type, severity, source, fingerprint, field }: RiskSeries): string {
  return JSON.stringify([kind, type, severity, source, fingerprint, field]);
}
