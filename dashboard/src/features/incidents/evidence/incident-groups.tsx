import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Incident, IncidentGroup } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatMinute } from '../../../lib/format.ts';
import { queryClient } from '../../../lib/queries.ts';
import { useMessages, useTopic } from '../../../lib/realtime.ts';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { SEVERITY_FILLS } from '../../../ui/display/severity-fills.ts';
import { Message } from '../../../ui/event/message.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { incidentGroupsQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { eventsSearch } from './events-search.ts';
import { describeReleases } from './evidence-words.ts';

const SHOWN = 4;

/** The groups of the incident with their shares. */
export function IncidentGroups({ incident }: { incident: Incident }) {
  const { data, error, refetch } = useQuery(incidentGroupsQuery(incident.id));
  const now = useNow();
  useStateNews(incident.id, data);
  if (data?.length === 0) return null;
  return (
    <Section
      title={texts.groups.title}
      actions={
        data &&
        data.length > SHOWN && (
          <Link
            to="/events"
            search={eventsSearch(incident, now)}
            className="text-sm leading-6 text-accent hover:underline"
          >
            {texts.groups.more(data.length - SHOWN)}
          </Link>
        )
      }
    >
      {data ? (
        <ul
          aria-label={texts.groups.title}
          className="@container divide-y divide-line border-y border-line sm:max-h-38 sm:overflow-y-auto print:max-h-none"
        >
          {data.slice(0, SHOWN).map((one) => (
            <GroupRow key={one.group.id} {...one} />
          ))}
        </ul>
      ) : (
        <QueryState query={{ error, refetch }} rows={2} rowClass="h-12" />
      )}
    </Section>
  );
}

/** Reads the groups again when one of them changes its state, here or elsewhere. */
function useStateNews(incidentId: string, groups: IncidentGroup[] | undefined): void {
  useTopic('groups');
  useMessages((message) => {
    if (message.event !== 'group_updated' || message.change === 'counted') return;
    if (groups?.some(({ group }) => group.id === message.data.id))
      void queryClient.invalidateQueries(incidentGroupsQuery(incidentId));
  });
}

function GroupRow(one: IncidentGroup) {
  const { group, count, share, users, usersExact, isNew } = one;
  const { id, key, title, culprit, severity, state } = group;
  const facts = [
    texts.groups.share(share, count),
    users > 0 && texts.groups.users(users, !usersExact),
    describeReleases(one),
    isNew ? texts.groups.isNew : texts.groups.firstSeen(formatMinute(group.firstSeen)),
  ].filter(Boolean);
  return (
    <li className="relative flex items-center gap-1">
      <span
        aria-hidden="true"
        className={`absolute bottom-0 left-0 h-0.5 ${SEVERITY_FILLS[severity]}`}
        style={{ width: `${100 * share}%` }}
      />
      <div className="min-w-0 flex-1">
        <Link
          to="/groups/$groupId"
          params={{ groupId: id }}
          className="flex min-h-11 gap-2 px-2 py-1.5 text-sm hover:bg-hover focus-visible:-outline-offset-2"
        >
          <SeverityGlyph severity={severity} />
          <span className="min-w-0 flex-1">
            <span className="line-clamp-2 wrap-anywhere">
              <Message text={title} />
            </span>
            {culprit && <span className="block truncate font-mono text-xs text-text-muted">{culprit}</span>}
            <span className="block text-xs wrap-anywhere text-text-muted">
              {facts.join(' · ')} · <span className="whitespace-nowrap">{key}</span>
            </span>
          </span>
        </Link>
        <Regression {...one} />
      </div>
      {state === 'open' ? (
        <Link
          to="/groups/$groupId"
          params={{ groupId: id }}
          search={{ change: 'mute' }}
          aria-label={texts.groups.muteOne(key)}
          className={`${buttonClass('ghost')} print:hidden`}
        >
          <span>
            {texts.groups.mute}
            <span className="hidden @md:inline"> {texts.groups.orSilence}</span>
          </span>
        </Link>
      ) : (
        <span className="px-2 text-xs text-text-muted">{texts.groups.states[state]}</span>
      )}
    </li>
  );
}

/** Says in which release a group was resolved, and leads to the comparison with its most frequent release in the incident. */
function Regression({ group, releases, regression }: IncidentGroup) {
  if (!regression) return null;
  const { resolvedIn: base, resolvedBy } = regression;
  const release = releases[0]?.version;
  return (
    <p className="pl-8 text-xs leading-6 wrap-anywhere">
      {texts.groups.regressed(base, resolvedBy?.name)}{' '}
      {base && release && release !== base && (
        <Link
          to="/releases/compare"
          search={{ project: group.projectId, release, base }}
          className="inline-block text-accent underline"
        >
          {texts.changes.compare}
        </Link>
      )}
    </p>
  );
}
