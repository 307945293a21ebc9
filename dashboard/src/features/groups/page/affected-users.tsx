import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { countAffected, groupAffected, nameUncounted, searchOfAffected } from '../../../lib/affected.ts';
import type { Group } from '../../../lib/api-types.ts';
import { formatCount, formatUsers } from '../../../lib/format.ts';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { newestEventsQuery } from '../queries.ts';
import { texts } from '../texts.ts';

const SHOWN = 5;
const KEYS_SHOWN = 3;

/** The affected users: their count, and the ids with the most of the newest events, by key. */
export function AffectedUsers({ group }: { group: Group }) {
  const { data, error, refetch } = useQuery(newestEventsQuery(group.id));
  const groups = data ? groupAffected(countAffected(data.items).affected) : [];
  return (
    <Section title={texts.page.affected}>
      {group.users > 0 && (
        <p className="px-2 pb-1 text-lg font-semibold">{texts.counts.users(formatUsers(group.users))}</p>
      )}
      {data ? (
        groups.length === 0 ? (
          <p className="px-2 text-sm text-text-muted">{texts.page.nobodyNamed}</p>
        ) : (
          <>
            {groups.slice(0, KEYS_SHOWN).map(({ key, affected, standsOut }) =>
              standsOut ? (
                <ol key={key} className="text-sm">
                  {affected.slice(0, SHOWN).map((one) => (
                    <li key={one.correlationId}>
                      <Link
                        to="/events"
                        search={{
                          project: group.projectId,
                          range: '7d',
                          group_id: group.id,
                          ...searchOfAffected(one),
                        }}
                        className="flex min-h-8 items-center gap-2 px-2 hover:bg-hover"
                      >
                        <span className="min-w-0 flex-1 truncate">
                          {key && <span className="text-text-muted">{key} </span>}
                          <span className="font-mono">{one.correlationId}</span>
                        </span>
                        {formatCount(one.count)}
                        <span className="sr-only"> {texts.page.events}</span>
                      </Link>
                    </li>
                  ))}
                </ol>
              ) : (
                <p key={key} className="px-2 py-1 text-sm">
                  {texts.page.noneStandsOut(nameUncounted({ key, affected, standsOut }, group.users > 0))}
                </p>
              ),
            )}
            <p className="mt-1 px-2 text-xs text-text-muted">
              {texts.page.inNewest(formatCount(data.items.length), data.next !== null)}
            </p>
          </>
        )
      ) : (
        <QueryState query={{ error, refetch }} rows={4} rowClass="h-8" />
      )}
    </Section>
  );
}
