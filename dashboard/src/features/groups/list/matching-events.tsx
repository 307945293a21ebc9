import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Group } from '../../../lib/api-types.ts';
import { useScope } from '../../../lib/scope.ts';
import { SeverityGlyph } from '../../../ui/display/glyphs.tsx';
import { ListTime } from '../../../ui/display/list-time.tsx';
import { Message } from '../../../ui/event/message.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { shortEventsQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { pickMatching } from './pick-matching.ts';

/** Maximum groups whose events are read, each by one request. */
const GROUPS_READ = 5;
const EVENTS_SHOWN = 10;
/** Range of the linked events page, whatever range was chosen before. */
const RANGE = '30d';

/** The newest events of the groups that a search found, below them. */
export function MatchingEvents({ words, groups }: { words: string; groups: readonly Group[] }) {
  const [{ project }] = useScope();
  const read = groups.slice(0, GROUPS_READ);
  const lists = useQueries({
    queries: read.map(({ id }) => shortEventsQuery(id)),
    combine: (results) => results.map(({ data }) => data),
  });
  const found = read.map((group, index) => ({ group, events: lists[index] ?? [] }));
  const events = pickMatching(words, found).slice(0, EVENTS_SHOWN);
  if (events.length === 0) return null;
  return (
    <div className="mt-6">
      <Section
        title={texts.list.events(groups.length > GROUPS_READ ? GROUPS_READ : null)}
        actions={
          <Link
            to="/events"
            search={{ q: words, range: RANGE, ...(project && { project }) }}
            className="px-2 text-sm text-accent hover:underline"
          >
            {texts.list.allEvents(words)}
          </Link>
        }
      >
        <ul aria-label={texts.list.events(null)} className="divide-y divide-line border-y border-line">
          {events.map(({ group, event: { id, severity, message, capturedAt } }) => (
            <li key={id}>
              <Link
                to="/events"
                search={{ group_id: group.id, project: group.projectId, range: RANGE, event: id }}
                className="flex min-h-8 items-center gap-3 px-2 hover:bg-hover focus-visible:-outline-offset-2"
              >
                <SeverityGlyph severity={severity} />
                <span className="min-w-0 flex-1 truncate">
                  <Message text={message} />
                </span>
                <span className="hidden flex-none text-xs text-text-muted sm:inline">{group.key}</span>
                <span className="flex-none text-right text-xs text-text-muted">
                  <ListTime at={capturedAt} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
