import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Decision } from '../../lib/api-types.ts';
import { OUTCOMES, type OutcomeChoice } from '../../lib/search/alarm-search.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { LoadMore } from '../../ui/feedback/load-more.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { decisionsQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.decisions;

/** The detector's decisions: each anomaly with its outcome. */
export function Decisions({ projectId }: { projectId: string }) {
  const { outcome = 'suppressed' } = useSearch({ from: '/inside/alerts/quiet-log' });
  const navigate = useNavigate({ from: '/alerts/quiet-log' });
  const list = useInfiniteQuery(decisionsQuery(projectId, outcome === 'all' ? undefined : outcome));
  const decisions = list.data?.pages.flatMap(({ items }) => items);
  const choose = (value: OutcomeChoice) =>
    void navigate({
      search: (previous) => ({ ...previous, outcome: value === 'suppressed' ? undefined : value }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 text-text-muted">{words.hint}</p>
        <SelectField
          label={words.outcome}
          labelHidden
          className="w-44"
          value={outcome}
          onChange={choose}
          options={[
            ...OUTCOMES.map((known) => ({ value: known, label: words.outcomes[known] })),
            { value: 'all', label: words.all },
          ]}
        />
      </div>
      {decisions ? (
        decisions.length === 0 ? (
          <NoDecisions outcome={outcome} />
        ) : (
          <ol aria-label={words.list} className="divide-y divide-line border-y border-line">
            {decisions.map((decision) => (
              <DecisionRow key={decision.id} decision={decision} />
            ))}
          </ol>
        )
      ) : (
        <QueryState query={list} rows={4} />
      )}
      <LoadMore list={list} />
    </>
  );
}

function NoDecisions({ outcome }: { outcome: OutcomeChoice }) {
  const { none, noneKeptQuiet, noneOfOutcome } = words;
  const { title, text } = outcome === 'all' ? none : outcome === 'suppressed' ? noneKeptQuiet : noneOfOutcome;
  return (
    <Empty sign="calm" title={title}>
      {text}
    </Empty>
  );
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { at, outcome, reason, sentence, incidentId } = decision;
  return (
    <li className="flex min-h-9 flex-wrap items-baseline gap-x-4 px-3 py-1.5">
      <span className="w-36 text-sm text-text-muted">{words.outcomes[outcome]}</span>
      <div className="min-w-0 flex-1 basis-64">
        <p className="wrap-anywhere">
          <Sentence text={sentence} at={at} />
        </p>
        {reason && <p className="text-sm text-text-muted">{words.reasons[reason]}</p>}
      </div>
      {incidentId && (
        <Link
          to="/incidents/$incidentId"
          params={{ incidentId }}
          className="text-sm leading-6 text-accent hover:underline"
        >
          {words.viewIncident}
        </Link>
      )}
      <RelativeTime at={at} className="text-sm text-text-muted sm:w-20 sm:text-right" />
    </li>
  );
}
