import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { OUTCOMES } from '../../lib/alarm-search.ts';
import type { Decision, DecisionOutcome } from '../../lib/api-types.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { LoadMore } from '../../ui/feedback/load-more.tsx';
import { Empty, Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { OUTCOME_WORDS, REASON_WORDS } from './decision-words.ts';
import { decisionsQuery } from './queries.ts';

/** The detector's decisions: each anomaly with its outcome. */
export function Decisions({ projectId }: { projectId: string }) {
  const { outcome } = useSearch({ from: '/inside/projects/$projectId/alarms' });
  const navigate = useNavigate({ from: '/projects/$projectId/alarms' });
  const list = useInfiniteQuery(decisionsQuery(projectId, outcome));
  const decisions = list.data?.pages.flatMap(({ items }) => items);
  const choose = (value: string) =>
    void navigate({
      search: (previous) => ({ ...previous, outcome: OUTCOMES.find((known) => known === value) }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Section
      title="What Tocsin noticed"
      actions={
        <SelectField
          label="Outcome"
          labelHidden
          className="w-44"
          value={outcome ?? ''}
          onChange={choose}
          options={[
            { value: '', label: 'all outcomes' },
            ...OUTCOMES.map((known) => ({ value: known, label: OUTCOME_WORDS[known] })),
          ]}
        />
      }
    >
      <p className="mb-3 max-w-prose text-text-muted">
        Everything unusual in the last 7 days and what Tocsin did about it.
      </p>
      {decisions ? (
        decisions.length === 0 ? (
          <NoDecisions outcome={outcome} />
        ) : (
          <ol aria-label="Decisions" className="divide-y divide-line border-y border-line">
            {decisions.map((decision) => (
              <DecisionRow key={decision.id} decision={decision} />
            ))}
          </ol>
        )
      ) : list.error ? (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Skeleton rows={4} />
      )}
      <LoadMore list={list} />
    </Section>
  );
}

function NoDecisions({ outcome }: { outcome: DecisionOutcome | undefined }) {
  return outcome ? (
    <Empty title="Nothing with this outcome">Choose “all outcomes” to see everything.</Empty>
  ) : (
    <Empty title="Nothing unusual in the last 7 days">
      Anything out of the ordinary will show up here, with the reason if it opens no incident.
    </Empty>
  );
}

function DecisionRow({ decision }: { decision: Decision }) {
  const { at, outcome, reason, sentence, incidentId } = decision;
  return (
    <li className="flex min-h-9 flex-wrap items-baseline gap-x-4 px-3 py-1.5">
      <span className="w-36 text-sm text-text-muted">{OUTCOME_WORDS[outcome]}</span>
      <div className="min-w-0 flex-1 basis-64">
        <p className="wrap-anywhere">
          <Sentence text={sentence} />
        </p>
        {reason && <p className="text-sm text-text-muted">{REASON_WORDS[reason]}</p>}
      </div>
      {incidentId && (
        <Link
          to="/incidents/$incidentId"
          params={{ incidentId }}
          className="text-sm text-accent hover:underline"
        >
          View incident
        </Link>
      )}
      <RelativeTime at={at} className="text-sm text-text-muted sm:w-20 sm:text-right" />
    </li>
  );
}
