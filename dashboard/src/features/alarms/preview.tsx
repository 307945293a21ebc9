import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Preview } from '../../lib/api-types.ts';
import { formatDuration } from '../../lib/format.ts';
import { formatSlotTime } from '../../ui/charts/chart-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SeverityGlyph } from '../../ui/display/glyphs.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { Empty, Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { OriginStrips } from './origin-strips.tsx';
import { groupByOrigin } from './preview-origins.ts';
import { type PreviewRequest, previewQuery } from './queries.ts';
import { nameSensitivity } from './sensitivities.ts';
import { texts } from './texts.ts';

const words = texts.preview;
const DAYS = [1, 7, 14, 30];
const DEFAULT_DAYS = 7;
/** Maximum incidents in the list; the strips show all. */
const MAX_LISTED = 50;

interface PreviewSectionProps {
  projectId: string;
  /** Chosen false alarms a week, saved or not. */
  budget: number;
}

/** Preview of a sensitivity on past counts, before it is saved. */
export function PreviewSection({ projectId, budget }: PreviewSectionProps) {
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [requested, setRequested] = useState<PreviewRequest | null>(null);
  const run = () => setRequested({ budget, days, askedMs: Date.now() });
  return (
    <Section title={words.title}>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={words.days}
          value={String(days)}
          className="w-40"
          onChange={(count) => setDays(Number(count))}
          options={DAYS.map((count) => ({
            value: String(count),
            label: words.lastDays(count),
          }))}
        />
        <Button onClick={run}>{words.run}</Button>
      </div>
      {requested && <PreviewResult projectId={projectId} requested={requested} />}
    </Section>
  );
}

function PreviewResult({ projectId, requested }: { projectId: string; requested: PreviewRequest }) {
  const { data: preview, error, refetch } = useQuery(previewQuery(projectId, requested));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!preview) return <Skeleton />;
  const { incidents, budget, from, to } = preview;
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const origins = groupByOrigin(incidents);
  const shown = incidents.slice(0, MAX_LISTED);
  return (
    <div className="mt-4">
      <div role="status" className="mb-3">
        <p className="font-medium">
          {words.result(
            incidents.length,
            origins.map(({ count }) => count),
          )}
        </p>
        <p className="text-sm text-text-muted">
          {words.range(formatSlotTime(fromMs), formatSlotTime(toMs), nameSensitivity(budget))}
        </p>
      </div>
      {incidents.length === 0 ? (
        <Empty sign="calm" title={words.none.title}>
          {words.none.text}
        </Empty>
      ) : (
        <>
          <OriginStrips {...{ origins, fromMs, toMs }} />
          <ol aria-label={words.list} className="divide-y divide-line border-y border-line">
            {shown.map((incident, index) => (
              <PreviewRow key={index} incident={incident} />
            ))}
          </ol>
          {shown.length < incidents.length && (
            <p className="py-2 text-sm text-text-muted">{words.more(incidents.length - shown.length)}</p>
          )}
        </>
      )}
    </div>
  );
}

function PreviewRow({ incident }: { incident: Preview['incidents'][number] }) {
  const { openedAt, resolvedAt, severity, sentence, alsoSeriesCount } = incident;
  const openedMs = Date.parse(openedAt);
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 px-3 py-1.5">
      <SeverityGlyph severity={severity} />
      <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
        <Sentence text={sentence} />
        {alsoSeriesCount > 0 && <span className="text-text-muted"> {words.more(alsoSeriesCount)}</span>}
      </span>
      <span className="text-sm text-text-muted">
        <time dateTime={openedAt}>{formatSlotTime(openedMs)}</time>,{' '}
        {resolvedAt ? words.lasted(formatDuration(Date.parse(resolvedAt) - openedMs)) : words.stillOpen}
      </span>
    </li>
  );
}
