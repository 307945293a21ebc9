import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Preview } from '../../lib/api-types.ts';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { formatSlotTime } from '../../ui/charts/chart-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SeverityGlyph } from '../../ui/display/glyphs.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { Empty, Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { describeOrigins } from './preview-words.ts';
import { type PreviewRequest, previewQuery } from './queries.ts';

const DAYS = [1, 7, 14, 30];
const DEFAULT_DAYS = 7;

interface PreviewSectionProps {
  projectId: string;
  /** The budget that is typed; null where it is none, which is said where it is typed. */
  readBudget: () => number | null;
}

/** Preview of a budget on past counts, before it is saved. */
export function PreviewSection({ projectId, readBudget }: PreviewSectionProps) {
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [requested, setRequested] = useState<PreviewRequest | null>(null);
  const run = () => {
    const budget = readBudget();
    if (budget !== null) setRequested({ budget, days, askedMs: Date.now() });
  };
  return (
    <Section title="What this budget would have alerted on">
      <p className="mb-3 max-w-prose text-text-muted">
        See which incidents the budget above would have opened, saved or not. Nothing is changed.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Time"
          value={String(days)}
          className="w-40"
          onChange={(count) => setDays(Number(count))}
          options={DAYS.map((count) => ({
            value: String(count),
            label: count === 1 ? 'Last day' : `Last ${count} days`,
          }))}
        />
        <Button onClick={run}>Preview on past data</Button>
      </div>
      {requested && <PreviewResult projectId={projectId} requested={requested} />}
    </Section>
  );
}

function PreviewResult({ projectId, requested }: { projectId: string; requested: PreviewRequest }) {
  const { data: preview, error, refetch } = useQuery(previewQuery(projectId, requested));
  if (!preview) return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton />;
  const { incidents, budget, from, to } = preview;
  const origins = describeOrigins(incidents);
  return (
    <div className="mt-4">
      <p role="status" className="mb-2 text-sm text-text-muted">
        {incidents.length === 0 ? 'No incidents' : countIncidents(incidents.length)} from{' '}
        {formatSlotTime(Date.parse(from))} to {formatSlotTime(Date.parse(to))}, with a budget of {budget} per
        week
        {origins && `: ${origins}`}
      </p>
      {incidents.length === 0 ? (
        <Empty title="No incidents would have opened">
          Nothing in this period was unusual enough. A higher budget may show more.
        </Empty>
      ) : (
        <ol
          aria-label="Incidents that would have opened"
          className="divide-y divide-line border-y border-line"
        >
          {incidents.map((incident, index) => (
            <PreviewRow key={index} incident={incident} />
          ))}
        </ol>
      )}
    </div>
  );
}

const countIncidents = (count: number) => `${formatCount(count)} ${count === 1 ? 'incident' : 'incidents'}`;

function PreviewRow({ incident }: { incident: Preview['incidents'][number] }) {
  const { openedAt, resolvedAt, severity, sentence, alsoSeriesCount } = incident;
  const openedMs = Date.parse(openedAt);
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 px-3 py-1.5">
      <SeverityGlyph severity={severity} />
      <span className="min-w-0 flex-1 basis-56 wrap-anywhere">
        <Sentence text={sentence} />
        {alsoSeriesCount > 0 && (
          <span className="text-text-muted"> and {formatCount(alsoSeriesCount)} more</span>
        )}
      </span>
      <span className="text-sm text-text-muted">
        <time dateTime={openedAt}>{formatSlotTime(openedMs)}</time>
        {resolvedAt ? `, for ${formatDuration(Date.parse(resolvedAt) - openedMs)}` : ', still open'}
      </span>
    </li>
  );
}
