import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  type AffectedGroup,
  affectedThen,
  countAffected,
  groupAffected,
  nameUncounted,
  searchOfAffected,
} from '../../../lib/affected.ts';
import type { Evidence, IncidentDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatCount } from '../../../lib/format.ts';
import { Sentence } from '../../../ui/display/sentence.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { eventsBehindQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { timeSearch } from './events-search.ts';
import { describeAffected, explainNoEvents } from './evidence-words.ts';

const SHOWN = 6;
const GROUPS_SHOWN = 3;

/**
 * The affected users: their count, and the ids that the newest events name most; those of the opening if no
 * events are kept any more.
 */
export function MostAffected({ incident, evidence }: { incident: IncidentDetail; evidence: Evidence }) {
  const now = useNow();
  const { data, error, refetch } = useQuery(eventsBehindQuery(incident.id));
  if (!data) {
    return (
      <Section title={texts.affected.title}>
        <QueryState query={{ error, refetch }} rows={SHOWN} rowClass="h-8" />
      </Section>
    );
  }
  const areKept = data.items.length > 0;
  const counts = countAffected(data.items);
  const affected = areKept ? counts.affected : affectedThen(evidence);
  const search = timeSearch(incident, now);
  const [first] = affected;
  const groups = groupAffected(affected);
  const people = describeAffected(incident);
  return (
    <Section title={texts.affected.title}>
      {people && <p className="px-2 pb-1 text-lg font-semibold">{people}</p>}
      {first ? (
        groups
          .slice(0, GROUPS_SHOWN)
          .map((group) => (
            <Group
              key={group.key}
              group={group}
              name={nameUncounted(group, people !== null)}
              search={search}
            />
          ))
      ) : (
        <p className="py-2 text-sm text-text-muted">
          <Sentence text={areKept ? texts.affected.none : explainNoEvents(evidence)} />
        </p>
      )}
      {first && (
        <p className="mt-1 px-2 text-xs text-text-muted">
          {areKept
            ? texts.affected.inNewest(data.items.length, data.next !== null)
            : `${texts.affected.atOpening} ${texts.surroundings.notStored}`}
          {counts.anonymous > 0 && texts.affected.anonymous(counts.anonymous)}
        </p>
      )}
    </Section>
  );
}

type Search = ReturnType<typeof timeSearch>;

interface GroupProps {
  group: AffectedGroup;
  /** "12 orders"; null for users whom the heading counts. */
  name: string | null;
  search: Search;
}

/** The ids of one key: those with the most events, or only their count if none stands out. */
function Group({ group: { affected, standsOut }, name, search }: GroupProps) {
  const named = name === null ? '' : `${name}, `;
  const rows = <Rows affected={affected.slice(0, SHOWN)} search={search} />;
  if (standsOut)
    return (
      <>
        {affected.length > 1 && (
          <p className="px-2 pt-1 text-xs text-text-muted">
            {named}
            {texts.affected.mostFirst}
          </p>
        )}
        {rows}
      </>
    );
  return (
    <details className="text-sm">
      <summary className="px-2 py-1 text-text-muted hover:text-text">
        {named}
        {texts.affected.noneStandsOut}
      </summary>
      {rows}
    </details>
  );
}

function Rows({ affected, search }: { affected: AffectedGroup['affected']; search: Search }) {
  const most = affected[0]?.count ?? 1;
  return (
    <ol className="text-sm">
      {affected.map(({ correlationId, key, count }) => (
        <li key={correlationId}>
          <Link
            to="/events"
            search={{ ...search, ...searchOfAffected({ key, correlationId }) }}
            className="relative flex min-h-8 items-center gap-2 px-2 hover:bg-hover"
          >
            <span
              aria-hidden="true"
              className="absolute inset-y-1 left-0 rounded-sm bg-bad-soft"
              style={{ width: `${(count / most) * 100}%` }}
            />
            <span className="relative min-w-0 flex-1 truncate">
              {key && <span className="text-text-muted">{key} </span>}
              <span className="font-mono">{correlationId}</span>
            </span>
            <span className="relative">
              {formatCount(count)}
              <span className="sr-only"> {texts.affected.events}</span>
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
